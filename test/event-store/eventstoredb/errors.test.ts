import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { isUnavailable } from '../../../src/event-store/eventstoredb/errors.js';

const answered = (code: number) => Object.assign(new Error('no'), { code });

describe('an error of EventStoreDB’s client', () => {
  it('is one after which the call is made again where the server gave no verdict', () => {
    const { CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE } =
      status;
    for (const code of [
      ...[CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED],
      ...[ABORTED, INTERNAL, UNAVAILABLE],
    ])
      expect(isUnavailable(answered(code)), status[code]).to.equal(true);
  });

  it('is none where it gave one', () => {
    const { INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION, UNAUTHENTICATED } = status;
    for (const code of [INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION, UNAUTHENTICATED])
      expect(isUnavailable(answered(code)), status[code]).to.equal(false);
    expect(isUnavailable(new Error('no'))).to.equal(false);
  });
});
