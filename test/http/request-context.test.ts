import { expect } from 'chai';
import Koa from 'koa';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import type { Principal } from '../../src/http/caller.js';
import type { RequestState } from '../../src/http/context.js';
import { Metrics } from '../../src/http/server/metrics.js';
import { requestContext, unsent } from '../../src/http/middleware/request-context.js';
import { listen } from '../../src/http/server/server.js';
import { createLogger } from '../../src/logging/logger.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly path: string;
  readonly account?: number;
  readonly status?: number;
  readonly aborted?: true;
}

const caller: Principal = {
  accountId: 7,
  name: 'alice',
  isAdmin: false,
  restricted: false,
  scopes: 'unlimited',
  byPassword: true,
};

describe('what is told of a request', () => {
  const metrics = new Metrics();
  let told: Promise<Line>;
  let lines: Line[];
  let arrived: Promise<void>;
  let server: Awaited<ReturnType<typeof listen>>;

  beforeEach(async () => {
    let tell: (line: Line) => void;
    told = new Promise((resolve) => (tell = resolve));
    let arrive: () => void;
    arrived = new Promise((resolve) => (arrive = resolve));
    lines = [];
    const destination = {
      write(text: string) {
        const line = JSON.parse(text) as Line;
        lines.push(line);
        if (line.msg === 'request') tell(line);
      },
    };
    const app = new Koa<RequestState>();
    const logger = createLogger({ name: 'test', level: 'debug', destination });
    app.on('error', unsent(logger));
    app.use(requestContext(logger, metrics));
    app.use((ctx) => {
      ctx.state.signedInAs = caller;
      if (ctx.path === '/silent') ctx.respond = false;
      if (ctx.path === '/there') ctx.body = 'there';
      if (ctx.path === '/torn') ctx.body = Readable.from(torn());
      arrive();
    });
    const callback = app.callback();
    server = await listen({ host: '127.0.0.1', port: 0 }, () => (given, response) => {
      void callback(given, response);
    });
  });

  afterEach(() => server.close());

  it('names the path without the query, who called, the status that was sent, and the id of the answer', async () => {
    const { status, headers } = await fetch(`${server.address}/absent?token=secret`);
    expect(status).to.equal(404);
    expect(await told)
      .to.include({ level: 30, path: '/absent', account: 7, status, requestId: headers.get('x-request-id') })
      .and.not.to.have.property('aborted');
  });

  it('names none where the client left before there was one', async () => {
    const asked = request(`${server.address}/silent`).end();
    asked.on('error', () => undefined);
    await arrived;
    asked.destroy();
    expect(await told)
      .to.include({ aborted: true })
      .and.not.to.have.property('status');
    expect(await metrics.registry.metrics()).to.match(/operation="none",status="none"/);
  });

  for (const method of ['GET', 'HEAD']) {
    it(`is said in detail alone where a ${method} succeeds`, async () => {
      await fetch(`${server.address}/there`, { method });
      expect(await told).to.include({ level: 20, status: 200 });
    });
  }

  it('has the id also where an answer is cut short', async () => {
    const { headers } = await fetch(`${server.address}/torn`);
    await told;
    const requestId = headers.get('x-request-id');
    expect(lines.map(({ level, msg, ...line }) => [level, msg, line.requestId])).to.deep.include([
      50,
      'an answer could not be sent',
      requestId,
    ]);
  });
});

function* torn() {
  yield 'the beginning';
  throw new Error('what is behind cannot be read');
}
