import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { listen, type Listening } from '../../../src/http/server/server.js';

const MIB = 1024 * 1024;

describe('a request that is answered before its body has come', () => {
  const asked: (string | undefined)[] = [];
  const read: string[] = [];
  const clients: Socket[] = [];
  let server: Listening;
  const refuse = async (...[request, response]: Parameters<RequestListener>) => {
    asked.push(request.url);
    if (request.url === '/read') request.on('data', (chunk) => read.push(String(chunk)));
    response.statusCode = 401;
    await setImmediate(); // until what came with the head is read
    response.end('refused');
  };

  before(async () => {
    server = await listen({ host: '127.0.0.1', port: 0 }, () => (request, response) => {
      void refuse(request, response);
    });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    asked.length = 0;
    read.length = 0;
  });
  after(() => server.close());

  /** Sends the head of a request. */
  const post = (bytes: number, body = '', path = '/first') => {
    const client = connect(Number(new URL(server.address).port), '127.0.0.1').setEncoding('utf8');
    clients.push(client);
    client.write(`POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Length: ${bytes}\r\n\r\n${body}`);
    return client;
  };

  it('is the last one of its connection: what comes in the place of the body is no request', async () => {
    const client = post(10);
    const [answer] = (await once(client, 'data')) as [string];
    expect(answer).to.match(/^HTTP\/1\.1 401 [^]*^Connection: close[^]*refused$/m);
    const closed = once(client, 'close');
    client.write('0123456789GET /second HTTP/1.1\r\nHost: here\r\n\r\n');
    client.end();
    const [hasFailed] = (await closed) as [boolean];
    expect(hasFailed).to.equal(false);
    expect(asked).to.deep.equal(['/first']);
  });

  it('is answered to a client that sends all before it reads', async () => {
    const client = post(20 * MIB).pause();
    await new Promise((sent) => client.write(Buffer.alloc(20 * MIB), sent));
    let answer = '';
    for await (const chunk of client) answer += String(chunk);
    expect(answer).to.match(/^HTTP\/1\.1 401 [^]*refused$/);
  });

  it('is read no more: who had begun to read it does not gather the rest', async () => {
    const client = post(10, '01234', '/read');
    await once(client, 'data');
    const closed = once(client, 'close');
    client.write('56789');
    await closed;
    expect(read).to.deep.equal(['01234']);
  });

  it('is not one whose whole body has come unread, whose connection stays', async () => {
    const client = post(10, '0123456789');
    const [answer] = (await once(client, 'data')) as [string];
    expect(answer).to.match(/^Connection: keep-alive/m);
    client.write('GET /second HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(client, 'data');
    expect(asked).to.deep.equal(['/first', '/second']);
  });
});
