import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { listen } from '../../src/http/server.js';

describe('the server', () => {
  it('answers what is under way when it closes, takes nothing new, and lets go of idle connections', async () => {
    let finish: () => void = () => undefined;
    let arrived: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => (request, response) => {
      if (request.url === '/quick') return void response.end('quick');
      finish = () => void response.end('slow');
      arrived();
    });
    await (await fetch(`${server.address}/quick`)).text(); // its connection stays, idle
    const slow = fetch(`${server.address}/slow`).then((response) => response.text());
    await underWay;
    const closed = server.close();
    const refused = await fetch(`${server.address}/quick`).then(
      () => 'answered',
      () => 'refused',
    );
    finish();
    expect([refused, await slow]).to.deep.equal(['refused', 'slow']);
    await closed;
  });

  it('does not wait for connections that never asked for anything', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => () => undefined);
    const silent = connect(Number(new URL(server.address).port), '127.0.0.1').resume();
    await once(silent, 'connect');
    await Promise.all([once(silent, 'close'), server.close()]);
  });

  it('rejects where it cannot listen', async () => {
    const first = await listen({ host: '127.0.0.1', port: 0 }, () => () => undefined);
    const { port } = new URL(first.address);
    const second = await listen({ host: '127.0.0.1', port: Number(port) }, () => () => undefined).then(
      () => 'listens',
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    await first.close();
    expect(second).to.equal('EADDRINUSE');
  });
});
