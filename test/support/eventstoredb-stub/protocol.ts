// The client's own generated code is CommonJS without static export names: only the default import sees it.
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { Metadata, status as Code, type ServiceError } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Message } from 'google-protobuf';
import type { StubRecord } from './log.js';

export { features, gossip, GossipService, ServerFeaturesService, shared, streams, StreamsService };
export const GoogleEmpty = empty.Empty;

/** The server's clock is finer than ours. */
const TICKS_PER_MILLISECOND = 10_000n;

/** A failed call as the server ends it; `exception` and further fields are what the client looks for. */
export function callError(code: Code, details: string, fields: Record<string, string> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

/** How a follower refuses what only the leader does. */
export const notLeader = (leader: { readonly host: string; readonly port: number }): ServiceError =>
  callError(Code.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': leader.host,
    'leader-endpoint-port': leader.port.toString(),
  });

/** How a call is refused that concerns a stream that was deleted for good. */
export const streamDeleted = (stream: string): ServiceError =>
  callError(Code.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

/** The refusal of one append on the shared duplex stream. */
export function statusOf(typeName: string, detail: Message): InstanceType<typeof status.Status> {
  const details = new any.Any();
  details.pack(detail.serializeBinary(), `event_store.client.${typeName}`);
  return new status.Status().setMessage(typeName).setDetails(details);
}

/** How a node answers an append on the shared duplex stream while there is no leader. */
export function notReady(): InstanceType<typeof status.Status> {
  const details = new any.Any();
  details.pack(new GoogleEmpty().serializeBinary(), 'google.protobuf.Empty');
  return new status.Status().setMessage('Server Is Not Ready').setDetails(details);
}

export const streamName = (identifier: InstanceType<typeof shared.StreamIdentifier> | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

export const streamIdentifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));

/** A record as both reads and subscriptions send it. */
export function readEvent(record: StubRecord): InstanceType<typeof streams.ReadResp> {
  const position = record.position.toString();
  const event = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(streamIdentifier(record.stream))
    .setStreamRevision(record.revision.toString())
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  event
    .getMetadataMap()
    .set('type', record.type)
    .set('content-type', record.contentType)
    .set('created', (BigInt(record.created.getTime() + 1) * TICKS_PER_MILLISECOND - 1n).toString());
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(position),
  );
}
