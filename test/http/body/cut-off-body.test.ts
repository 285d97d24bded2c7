import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { readBody } from '../../../src/http/body/read-body.js';
import type { Context } from '../../../src/http/context.js';
import { Refused } from '../../../src/http/refused.js';
import { startApi, type TestApi } from '../../support/api.js';
import { rejection } from '../../support/rejection.js';

describe('a body whose client has hung up', () => {
  it('is refused as one that was cut off, and is no failure of the server', async () => {
    const req = new IncomingMessage(new Socket());
    req.destroy();
    const ctx = { req, res: new ServerResponse(req), state: {} } as unknown as Context;
    const refusal = await rejection(readBody(ctx, 1_000));
    expect(refusal).to.be.instanceOf(Refused).and.to.have.property('status', 400);
  });
});

describe('bodies that are slow to come', () => {
  const MIB = 1024 * 1024;
  let api: TestApi;
  const slow: Socket[] = [];
  before(async () => {
    api = await startApi();
  });
  after(async () => {
    for (const socket of slow) socket.destroy();
    await api.stop();
  });

  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  /** Sends all of a body but its end. */
  const begin = async (bytes: number) => {
    const socket = connect(Number(new URL(api.url()).port), '127.0.0.1');
    slow.push(socket.on('error', () => undefined).resume());
    const head = `POST /api/v1/markdown HTTP/1.1\r\nHost: here\r\nContent-Type: ${form['content-type']}\r\n`;
    socket.write(`${head}Content-Length: ${bytes + 1}\r\n\r\n`);
    await new Promise((sent) => socket.write(Buffer.alloc(bytes, 'a'), sent));
  };

  it('leave room for small ones, and give it back', async () => {
    const large = () => api.anonymous.post('/markdown', `Text=${'a'.repeat(MIB / 2)}`, form);
    expect((await large()).status).to.equal(200);
    for (let n = 0; n < 31; n++) await begin(8 * MIB - 1);
    let refused = await large();
    // One that arrives beside another may be refused, and take no room.
    for (; refused.status === 200; refused = await large()) await begin(8 * MIB - 1);
    expect(refused.status).to.equal(503);
    expect((await api.anonymous.post('/markdown', 'Text=a', form)).status).to.equal(200);
    for (const socket of slow.splice(0)) socket.destroy();
    while ((await large()).status === 503);
  });
});

describe('bodies that have come', () => {
  const MIB = 1024 * 1024;

  it('take their room until they are answered', async () => {
    const waiting: ServerResponse[] = [];
    let holds = true;
    const server = createServer((req, res) => {
      readBody({ req, res, state: {} } as unknown as Context, 8 * MIB).then(
        () => {
          if (holds) waiting.push(res);
          else res.end();
          server.emit('arrived');
        },
        (error: unknown) => {
          res.statusCode = (error as Refused).status;
          res.end();
        },
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const send = (bytes: number) => fetch(address, { method: 'POST', body: Buffer.alloc(bytes) });

    const answers: Promise<Response>[] = [];
    for (let n = 0; n < 32; n++) {
      const arrived = once(server, 'arrived');
      answers.push(send(8 * MIB));
      await arrived;
    }
    holds = false;
    expect((await send(MIB)).status).to.equal(503);
    for (const response of waiting) response.end();
    for (const { status } of await Promise.all(answers)) expect(status).to.equal(200);
    expect((await send(MIB)).status).to.equal(200);
    server.close();
    server.closeAllConnections();
  });
});
