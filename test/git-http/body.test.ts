import { expect } from 'chai';
import { once } from 'node:events';
import {
  createServer,
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { bodyOf } from '../../src/git-http/body.js';
import type { Refused } from '../../src/http/refused.js';

describe('the body of a git request', () => {
  let server: Server;
  let sending: ClientRequest | undefined;

  /** Begins a request with some bytes, and gives what its reader gets, who begins `when` it is time. */
  async function read(
    options: Parameters<typeof bodyOf>[1],
    send: (request: ClientRequest) => void,
    when: (response: ServerResponse) => unknown = () => undefined,
  ) {
    const outcome = new Promise<Buffer | Refused>((resolve) => {
      const answer = async (request: IncomingMessage, response: ServerResponse) => {
        await when(response);
        await buffer(bodyOf(request, options)).then(resolve, resolve);
        response.end();
      };
      server = createServer((request, response) => void answer(request, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    sending = ask({ port, method: 'POST' });
    sending.on('error', () => undefined);
    send(sending);
    return outcome;
  }

  afterEach(() => {
    sending?.destroy();
    server.close();
    server.closeAllConnections();
  });

  it('is read to its end', async () => {
    const pace = { bytes: 1, everyMs: 10_000 };
    const body = await read({ maxBytes: 100, pace }, (request) => request.end('all of it'));
    expect(String(body)).to.equal('all of it');
  });

  it('is refused where its client takes too long over it', async () => {
    const pace = { bytes: 100, everyMs: 20 };
    const refusal = await read({ maxBytes: 100, pace }, (request) => request.write('a little'));
    expect(refusal).to.include({ status: 408 });
  });

  it('is refused where it is too long', async () => {
    const pace = { bytes: 1, everyMs: 10_000 };
    const refusal = await read({ maxBytes: 10, pace }, (request) => request.end('more than ten bytes'));
    expect(refusal).to.include({ status: 413 });
  });

  it('fails where its client is gone', async () => {
    const pace = { bytes: 1, everyMs: 10_000 };
    const refusal = await read({ maxBytes: 100, pace }, (request) => {
      request.write('a little', () => request.destroy());
    });
    expect(refusal).to.be.instanceOf(Error);
  });

  it('fails where its client was gone before it is read, though all of it had come', async () => {
    const pace = { bytes: 1, everyMs: 10_000 };
    const gone = (response: ServerResponse) => {
      sending?.destroy();
      return once(response, 'close');
    };
    const refusal = await read({ maxBytes: 100, pace }, (request) => request.end('0000'), gone);
    expect(refusal).to.include({ status: 400 });
  });
});
