import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../src/start/free-port.js';
import { rejection } from '../support/rejection.js';

describe('a free port', () => {
  it('can be listened on, and is below those that systems hand out by themselves', async () => {
    for (let time = 0; time < 20; time += 1) {
      const port = await freePort('127.0.0.1');
      expect(port).to.be.within(20_000, 29_999);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
    }
  });

  it('is none where the host is not of this machine', async () =>
    expect(await rejection(freePort('192.0.2.1'))).to.have.property('code', 'EADDRNOTAVAIL'));
});
