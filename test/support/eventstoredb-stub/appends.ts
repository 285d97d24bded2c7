import {
  status as Code,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type ServiceError,
} from '@grpc/grpc-js';
import type { Message } from 'google-protobuf';
import type { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { StubAppended, StubEvent, StubExpected } from './log.js';
import type { StubNode } from './node.js';
import {
  callError,
  GoogleEmpty,
  notLeader,
  notReady,
  shared,
  statusOf,
  streamDeleted,
  streamIdentifier,
  streamName,
  streams,
} from './protocol.js';

type BatchRequest = InstanceType<typeof streams.BatchAppendReq>;
type BatchResponse = InstanceType<typeof streams.BatchAppendResp>;
type Request = InstanceType<typeof streams.AppendReq>;
type Response = InstanceType<typeof streams.AppendResp>;
type Proposed = InstanceType<
  typeof streams.BatchAppendReq.ProposedMessage | typeof streams.AppendReq.ProposedMessage
>;

type TooLarge = { readonly result: 'tooLarge'; readonly limit: number };
type Deleted = { readonly result: 'streamDeleted'; readonly stream: string };
type EventTooLarge = { readonly result: 'eventTooLarge' };
type NoVerdict = { readonly result: 'notReady' } | { readonly result: 'late' };
type Answered = StubAppended | TooLarge | EventTooLarge | Deleted | NoVerdict;
type Outcome = Answered | { readonly result: 'silence' } | { readonly error: ServiceError };

const uuid = /^[0-9a-f-]{36}$/i;

/** The fast path: the appends of a client share one duplex stream, answers carry the correlation id. */
export function batchAppend(node: StubNode): handleBidiStreamingCall<BatchRequest, BatchResponse> {
  return (call) => {
    node.traffic.calls.batchAppend += 1;
    const parts = new Map<string, BatchRequest[]>();
    let wedged = false;
    call.on('data', (request: BatchRequest) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const requests = [...(parts.get(id) ?? []), request];
      parts.set(id, requests);
      if (!request.getIsFinal() || wedged) return;
      parts.delete(id);
      const options = requests[0]?.getOptions();
      const events = requests.flatMap((part) => part.getProposedMessagesList()).map(proposed);
      // An id or a type the server cannot read: this and every later append of the call stays without an answer.
      wedged = events.some((event) => !uuid.test(event.id) || event.type === '');
      if (wedged) return;
      const stream = streamName(options?.getStreamIdentifier());
      const expected = batchExpected(options);
      const outcome = isPast(options?.getDeadline())
        ? ({ result: 'late' } as const)
        : append(node, stream, expected, events);
      if ('error' in outcome) call.emit('error', outcome.error);
      else if (outcome.result !== 'silence') {
        call.write(
          batchAnswer(outcome, expected)
            .setCorrelationId(request.getCorrelationId())
            .setStreamIdentifier(options?.getStreamIdentifier()),
        );
      }
    });
    call.on('end', () => {
      call.end();
    });
    call.on('error', () => undefined);
  };
}

/** The slow path: one call for each append. */
export function singleAppend(node: StubNode): handleClientStreamingCall<Request, Response> {
  return (call, answer) => {
    node.traffic.calls.append += 1;
    const requests: Request[] = [];
    call.on('data', (request: Request) => requests.push(request));
    call.on('end', () => {
      const options = requests[0]?.getOptions();
      const events = requests.slice(1).flatMap((request) => {
        const message = request.getProposedMessage();
        return message ? [proposed(message)] : [];
      });
      const expected = singleExpected(options);
      const outcome = append(node, streamName(options?.getStreamIdentifier()), expected, events);
      if ('error' in outcome) answer(outcome.error);
      else if (outcome.result === 'tooLarge') answer(tooLarge(outcome.limit));
      else if (outcome.result === 'eventTooLarge')
        answer(callError(Code.INVALID_ARGUMENT, 'Event exceeds Size.'));
      else if (outcome.result === 'streamDeleted') answer(streamDeleted(outcome.stream));
      else if (outcome.result === 'notReady') answer(callError(Code.UNAVAILABLE, 'Server Is Not Ready'));
      else if (outcome.result === 'late') answer(callError(Code.DEADLINE_EXCEEDED, 'Operation timed out'));
      else if (outcome.result !== 'silence') answer(null, singleAnswer(outcome, expected));
    });
  };
}

function append(
  { log, faults, maxAppendSize }: StubNode,
  stream: string,
  expected: StubExpected,
  events: readonly StubEvent[],
): Outcome {
  if (faults.leader) return { error: notLeader(faults.leader) };
  const fault = faults.takeAppendFault();
  if (fault === 'unavailable') return { error: callError(Code.UNAVAILABLE, 'the server is shutting down') };
  if (fault === 'unauthenticated') return { error: callError(Code.UNAUTHENTICATED, 'Unauthenticated') };
  if (fault === 'swallow') return { result: 'silence' };
  if (fault === 'not-ready') return { result: 'notReady' };
  if (fault === 'event-too-large') return { result: 'eventTooLarge' };
  if (fault === 'conflict') {
    return { result: 'wrongExpectedVersion', actual: (log.stream(stream)?.length ?? 0) - 1 };
  }
  const size = events.reduce(
    (sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length,
    0,
  );
  if (size > maxAppendSize) return { result: 'tooLarge', limit: maxAppendSize };
  if (log.isTombstoned(stream)) return { result: 'streamDeleted', stream };
  const appended = log.append(stream, expected, events);
  if (fault === 'late') return { result: 'late' };
  if (fault === 'unknown') return { error: callError(Code.UNKNOWN, 'Exception was thrown by handler.') };
  return fault === 'lose-answer' ? { result: 'silence' } : appended;
}

function proposed(message: Proposed): StubEvent {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** By the server's own clock, which stays right where a test changes that of the process. */
const isPast = (deadline: Timestamp | undefined): boolean =>
  deadline !== undefined && deadline.toDate().getTime() <= performance.timeOrigin + performance.now();

function batchExpected(options: ReturnType<BatchRequest['getOptions']>): StubExpected {
  if (options?.hasNoStream()) return 'noStream';
  if (options?.hasStreamExists()) return 'streamExists';
  return options?.hasStreamPosition() ? Number(options.getStreamPosition()) : 'any';
}

function singleExpected(options: ReturnType<Request['getOptions']>): StubExpected {
  if (options?.hasNoStream()) return 'noStream';
  if (options?.hasStreamExists()) return 'streamExists';
  return options?.hasRevision() ? Number(options.getRevision()) : 'any';
}

function batchAnswer(outcome: Answered, expected: StubExpected): BatchResponse {
  const response = new streams.BatchAppendResp();
  if (outcome.result === 'notReady') return response.setError(notReady());
  if (outcome.result === 'late') return response.setError(statusOf('Timeout', new shared.Timeout()));
  if (outcome.result === 'tooLarge') {
    const detail = new shared.MaximumAppendSizeExceeded().setMaxappendsize(outcome.limit);
    return response.setError(statusOf('MaximumAppendSizeExceeded', detail));
  }
  // The client has no name for what comes with it.
  if (outcome.result === 'eventTooLarge')
    return response.setError(statusOf('MaximumAppendEventSizeExceeded', new GoogleEmpty()));
  if (outcome.result === 'streamDeleted') {
    const detail = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(outcome.stream));
    return response.setError(statusOf('StreamDeleted', detail));
  }
  if (outcome.result === 'wrongExpectedVersion') {
    return response.setError(
      statusOf('WrongExpectedVersion', wrongExpectedVersion(outcome.actual, expected)),
    );
  }
  const success = new streams.BatchAppendResp.Success();
  if (outcome.revision < 0) success.setNoStream(new GoogleEmpty());
  else success.setCurrentRevision(outcome.revision.toString());
  if (!outcome.last) return response.setSuccess(success.setNoPosition(new GoogleEmpty()));
  const position = outcome.last.position.toString();
  return response.setSuccess(
    success.setPosition(
      new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position),
    ),
  );
}

function wrongExpectedVersion(actual: number, expected: StubExpected): Message {
  const detail = new shared.WrongExpectedVersion();
  if (actual < 0) detail.setCurrentNoStream(new GoogleEmpty());
  else detail.setCurrentStreamRevision(actual.toString());
  if (expected === 'noStream') detail.setExpectedNoStream(new GoogleEmpty());
  else if (expected === 'streamExists') detail.setExpectedStreamExists(new GoogleEmpty());
  else if (expected === 'any') detail.setExpectedAny(new GoogleEmpty());
  else detail.setExpectedStreamPosition(expected.toString());
  return detail;
}

function singleAnswer(outcome: StubAppended, expected: StubExpected): Response {
  const response = new streams.AppendResp();
  if (outcome.result === 'wrongExpectedVersion') {
    const refusal = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.actual < 0) refusal.setCurrentNoStream(new shared.Empty());
    else refusal.setCurrentRevision(outcome.actual.toString());
    if (expected === 'noStream') refusal.setExpectedNoStream(new shared.Empty());
    else if (expected === 'streamExists') refusal.setExpectedStreamExists(new shared.Empty());
    else if (expected === 'any') refusal.setExpectedAny(new shared.Empty());
    else refusal.setExpectedRevision(expected.toString());
    return response.setWrongExpectedVersion(refusal);
  }
  const success = new streams.AppendResp.Success();
  if (outcome.revision < 0) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(outcome.revision.toString());
  if (!outcome.last) return response.setSuccess(success.setNoPosition(new shared.Empty()));
  const position = outcome.last.position.toString();
  return response.setSuccess(
    success.setPosition(
      new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position),
    ),
  );
}

const tooLarge = (limit: number) =>
  callError(Code.INVALID_ARGUMENT, 'Maximum Append Size Exceeded.', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': limit.toString(),
  });
