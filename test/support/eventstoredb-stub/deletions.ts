import type { handleUnaryCall } from '@grpc/grpc-js';
import type { StubNode } from './node.js';
import { streamName, streams } from './protocol.js';

type DeleteRequest = InstanceType<typeof streams.DeleteReq>;
type DeleteResponse = InstanceType<typeof streams.DeleteResp>;
type TombstoneRequest = InstanceType<typeof streams.TombstoneReq>;
type TombstoneResponse = InstanceType<typeof streams.TombstoneResp>;

/** Deletes a stream, at whatever revision, so that it may be appended to again. */
export const softDelete =
  ({ log }: StubNode): handleUnaryCall<DeleteRequest, DeleteResponse> =>
  ({ request }, answer) => {
    log.delete(streamName(request.getOptions()?.getStreamIdentifier()));
    answer(null, new streams.DeleteResp());
  };

/** Deletes a stream for good, at whatever revision. */
export const tombstone =
  ({ log }: StubNode): handleUnaryCall<TombstoneRequest, TombstoneResponse> =>
  ({ request }, answer) => {
    log.tombstone(streamName(request.getOptions()?.getStreamIdentifier()));
    answer(null, new streams.TombstoneResp());
  };
