import { expect } from 'chai';
import Koa from 'koa';
import pg from 'pg';
import { z } from 'zod';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { badRequest, conflict, DomainError, forbidden, invalid, notFound } from '../../src/domain/errors.js';
import { GitRepositoryMissing } from '../../src/git/port/errors.js';
import { QuotaExceeded } from '../../src/domain/quota/quota-exceeded.js';
import { AppendTooLarge, EventStoreUnavailable } from '../../src/event-store/event-store.js';
import type { RequestState } from '../../src/http/context.js';
import { Metrics } from '../../src/http/server/metrics.js';
import { errors } from '../../src/http/middleware/errors.js';
import { requestContext } from '../../src/http/middleware/request-context.js';
import { NotShownYet } from '../../src/http/recent-writes.js';
import { listen } from '../../src/http/server/server.js';
import { createLogger } from '../../src/logging/logger.js';

/** The answer to a request whose handler throws, and what was logged. */
async function failing(
  error: Error,
  { searches = false } = {},
): Promise<{ response: Response; text: string; body: unknown; logged: string }> {
  let logged = '';
  const destination = { write: (line: string) => void (logged += line) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const app = new Koa<RequestState>();
  app.use(requestContext(logger, new Metrics()));
  app.use(errors);
  app.use((ctx) => {
    ctx.state.searches = searches;
    throw error;
  });
  const callback = app.callback();
  const server = await listen({ host: '127.0.0.1', port: 0 }, () => (request, response) => {
    void callback(request, response);
  });
  const response = await fetch(server.address);
  const text = await response.text();
  await server.close();
  return { response, text, body: JSON.parse(text) as unknown, logged };
}

describe('errors', () => {
  for (const [error, status] of [
    [badRequest('a.b', 'why'), 400],
    [forbidden('a.b', 'why'), 403],
    [notFound('a.b', 'why'), 404],
    [conflict('a.b', 'why'), 409],
    [invalid('a.b', 'Field', 'why'), 422],
  ] as const)
    it(`a refusal of kind ${error.kind} is ${status}, with its reason`, async () => {
      const { response, body, logged } = await failing(error);
      expect(response.status).to.equal(status);
      expect(body).to.include({ message: error.message });
      expect(logged).not.to.include('a request failed');
    });

  for (const [kind, status] of [
    ['busy', 423],
    ['too-many', 429],
  ] as const)
    it(`a refusal of kind ${kind}, which passes, is ${status} with Retry-After`, async () => {
      const { response, body } = await failing(new DomainError(kind, 'a.b', 'why'));
      expect([response.status, response.headers.get('retry-after')]).to.deep.equal([status, '1']);
      expect(body).to.include({ message: 'why' });
    });

  it('a value that a schema refuses is 422, with the name of its field', async () => {
    const { error } = z.object({ files: z.array(z.object({ path: z.string() })) }).safeParse({ files: [{}] });
    const { response, body } = await failing(error ?? new Error('it was taken'));
    expect(response.status).to.equal(422);
    expect(body)
      .to.have.property('message')
      .that.matches(/^\[Files\]: /);
  });

  it('what is more than the log takes at once is 422', async () => {
    const { response, body } = await failing(new AppendTooLarge(2_000_000));
    expect(response.status).to.equal(422);
    expect(body).to.have.property('message').that.includes('split it');
  });

  it('a repository that was deleted while it was looked at is 404', async () => {
    const { response, body } = await failing(new GitRepositoryMissing(7));
    expect(response.status).to.equal(404);
    expect(body).to.deep.include({ message: 'no such repository', errors: [] });
  });

  it('what an account has no room for is 413, with the account and the rule, digit for digit', async () => {
    const reason = { group: 'small', rule: 'few', subject: 'size:repos:public', used: 3n } as const;
    const numbers = { limit: 9_007_199_254_740_993n, incoming: null, position: 41n };
    const { response, text } = await failing(
      new QuotaExceeded({ id: 7, name: 'alice' }, { ...reason, ...numbers }),
    );
    expect(response.status).to.equal(413);
    expect(text).to.equal(
      '{"message":"quota exceeded","user_id":7,"username":"alice","reason":{"group":"small","rule":"few",' +
        '"subject":"size:repos:public","limit":9007199254740993,"used":3,"incoming":null,"position":41,' +
        '"explain":"/api/v1/admin/users/alice/quota/explain?subject=size%3Arepos%3Apublic&size=0&as_of=41"}}',
    );
  });

  it('a bug is told to who searches in the words of searches', async () => {
    const { response, body, logged } = await failing(new TypeError('inner workings'), { searches: true });
    expect([response.status, body]).to.deep.equal([500, { ok: false, error: 'the search failed' }]);
    expect(logged).to.include('a request failed');
    const passing = await failing(new DatabaseUnavailable('gone'), { searches: true });
    expect([passing.response.status, passing.body]).to.deep.include(503);
  });

  it('a bug is a bare 500 outside, and the whole story in the log under the request’s id', async () => {
    const { response, body, logged } = await failing(new TypeError('inner workings'));
    expect(response.status).to.equal(500);
    expect(body).to.include({ message: '' });
    const line = logged.split('\n').find((text) => text.includes('a request failed')) ?? '';
    expect(line).to.include('inner workings').and.to.include('errors.test');
    expect(line).to.include(response.headers.get('x-request-id'));
  });

  for (const [what, error] of [
    ['a log that does not answer', new EventStoreUnavailable('away')],
    ['a vault that is cut off', new DatabaseUnavailable('the vault is not connected')],
    ['a full disk', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
    ['a full disk that libgit2 met', new Error('failed to write out file: No space left on device')],
    ['PostgreSQL that ran out of something', postgresError('out of shared memory', '53200')],
    ['a deadlock', postgresError('deadlock detected', '40P01')],
  ] as const)
    it(`${what} is 503 with Retry-After, and in the log`, async () => {
      const { response, logged } = await failing(error);
      expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '1']);
      expect(logged).to.include(error.message);
    });

  it('says of a write that cannot be shown yet that it is done, and where it is in the log', async () => {
    const { response, body } = await failing(new NotShownYet(42n, undefined));
    const { headers, status } = response;
    expect([status, headers.get('retry-after'), headers.get('x-tallyforge-position')]).to.deep.equal([
      503,
      '1',
      '42',
    ]);
    expect(body).to.have.property('message').that.includes('it is done');
  });
});

function postgresError(message: string, code: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}
