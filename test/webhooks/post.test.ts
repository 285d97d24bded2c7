import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { guardedAgent } from '../../src/outgoing/guarded-agent.js';
import { poster } from '../../src/webhooks/post.js';

describe('what is posted to a receiver', () => {
  it('is given up in time where no connection comes about', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const agent = guardedAgent({ allowLocalNetworks: true }, { connectTimeoutMs: 600_000 });
    const post = poster(() => agent, 200);
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const lost = { error: 'no answer within 0.2 s', lasting: false };
    expect(await post({ url, headers: {}, body: '' })).to.deep.equal(lost);
    await agent.destroy();
    silent.close();
  });
});
