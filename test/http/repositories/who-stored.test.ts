import { expect } from 'chai';
import { eventsBetween } from '../../../src/event-log/events-between.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

const ATTIC = '/repos/ann/attic';

/** One after the other: each stores something, or gives room back. */
const REQUESTS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/user/repos', { name: 'attic', auto_init: true }],
  ['POST', `${ATTIC}/branches`, { new_branch_name: 'sideways' }],
  ['POST', `${ATTIC}/contents/box`, { content: '' }],
  ['POST', `${ATTIC}/tags`, { tag_name: 'v1', message: 'the first' }],
  ['PATCH', ATTIC, { default_branch: 'sideways' }],
  ['DELETE', `${ATTIC}/branches/main`],
  ['DELETE', ATTIC],
];

describe('what a request stores', () => {
  let api: TestApi;
  let ann: TestUser;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
  });
  after(() => api.stop());

  for (const [method, path, body] of REQUESTS) {
    it(`is recorded as its caller's, under its id: ${method} ${path}`, async () => {
      const { store, log } = api.connections;
      const before = await store.lastPosition();
      const { status, headers } = await ann.send(method, path, body);
      expect(status).to.be.within(200, 204);
      const types: string[] = [];
      for await (const { stream, type, metadata } of eventsBetween(log, before, await store.lastPosition())) {
        if (stream.startsWith('ids-')) continue; // blocks of ids are for whoever comes next
        types.push(type);
        expect([metadata.actor?.id, metadata.requestId], type).to.deep.equal([
          ann.id,
          headers.get('x-request-id'),
        ]);
      }
      expect(types.join()).to.match(/ReservationSettled|UsageRecorded|ObjectForgotten/);
    });
  }
});
