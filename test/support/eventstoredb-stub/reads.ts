import { status as Code, type handleServerStreamingCall } from '@grpc/grpc-js';
import type { StubLog, StubRecord } from './log.js';
import type { StubNode } from './node.js';
import { callError, notLeader, readEvent, streamDeleted, streamName, streams } from './protocol.js';
import { write, type ReadCall, type ReadOptions, type ReadRequest, type ReadResponse } from './read-calls.js';
import { subscribeToAll } from './subscriptions.js';

/** Reads of a stream and of all events in both directions, and subscriptions to all events. */
export function read(node: StubNode): handleServerStreamingCall<ReadRequest, ReadResponse> {
  return (call) => {
    const options = call.request.getOptions() ?? new streams.ReadReq.Options();
    call.on('error', () => undefined);
    const { leader } = node.faults;
    if (leader && call.metadata.get('requires-leader').includes('true')) {
      call.emit('error', notLeader(leader));
      return;
    }
    if (options.hasSubscription()) {
      node.traffic.calls.subscribe += 1;
      subscribeToAll(call, options, node);
      return;
    }
    node.traffic.calls.read += 1;
    if (node.faults.unansweredReads > 0) {
      node.faults.unansweredReads -= 1;
      return;
    }
    const count = Number(options.getCount());
    if (count <= 0) {
      call.emit('error', callError(Code.INVALID_ARGUMENT, 'count must be greater than 0'));
      return;
    }
    const records = options.hasAll() ? allRecords(options, node.log) : streamRecords(options, node.log);
    if (records instanceof Error) call.emit('error', records);
    else if (records) void send(call, records.slice(0, count), node);
    else {
      const missing = new streams.ReadResp.StreamNotFound();
      missing.setStreamIdentifier(options.getStream()?.getStreamIdentifier());
      call.write(new streams.ReadResp().setStreamNotFound(missing));
      call.end();
    }
  };
}

async function send(call: ReadCall, records: readonly StubRecord[], { traffic }: StubNode): Promise<void> {
  for (const record of records) {
    traffic.sent += 1;
    if (!(await write(call, readEvent(record)))) return;
  }
  call.end();
}

function streamRecords(options: ReadOptions, log: StubLog): readonly StubRecord[] | Error | undefined {
  const from = options.getStream();
  const name = streamName(from?.getStreamIdentifier());
  if (log.isTombstoned(name)) return streamDeleted(name);
  const records = log.visible(name);
  const end = records?.at(-1)?.revision ?? 0;
  const start = from?.hasEnd() ? end : from?.hasRevision() ? Number(from.getRevision()) : 0;
  return isBackwards(options)
    ? records?.filter(({ revision }) => revision <= start).reverse()
    : records?.filter(({ revision }) => revision >= start);
}

// Inclusive forwards, exclusive backwards; system events are among them.
function allRecords(options: ReadOptions, log: StubLog): readonly StubRecord[] | Error {
  const from = options.getAll();
  const position = from?.getPosition()?.getCommitPosition();
  const mayBegin = (at: bigint) => (isBackwards(options) ? log.isReadableBackwards(at) : log.isReadable(at));
  if (position !== undefined && !mayBegin(BigInt(position)))
    return callError(Code.UNKNOWN, 'Unexpected ReadAllResult: Error');
  const end = from?.hasEnd() ? log.records.length : 0;
  const start = position === undefined ? end : log.indexOf(BigInt(position)).index;
  return isBackwards(options) ? log.records.slice(0, start).reverse() : log.records.slice(start);
}

const isBackwards = (options: ReadOptions) =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
