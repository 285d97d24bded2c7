import type { handleUnaryCall } from '@grpc/grpc-js';
import { gossip, type shared } from './protocol.js';

type Empty = InstanceType<typeof shared.Empty>;
type ClusterInfo = InstanceType<typeof gossip.ClusterInfo>;

/** Tells whoever looks for the nodes of a cluster of one alone, which leads. */
export const gossipOf =
  (port: () => number): handleUnaryCall<Empty, ClusterInfo> =>
  (_call, answer) => {
    const endPoint = new gossip.EndPoint().setAddress('127.0.0.1').setPort(port());
    const leader = new gossip.MemberInfo()
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(endPoint);
    answer(null, new gossip.ClusterInfo().setMembersList([leader]));
  };
