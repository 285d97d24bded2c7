import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '../support/git-server.js';
import { gitWorld, sorted, type GitWorld } from '../git-http/world.js';

/** HTTP clients send a request once more, by themselves, when a connection that was kept open dies before the answer. */
describe('a push that arrives twice', () => {
  let world: GitWorld;
  let wire: Awaited<ReturnType<typeof serve>>;

  before(async () => {
    world = await gitWorld();
    wire = await serve((request, response) => void twice(request, response));
  });
  after(async () => {
    await wire.close();
    await world.stop();
  });

  /** Hands on every request; a push is handed on twice, and the second answer is given. */
  async function twice(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = 'GET', url = '' } = request;
    const headers = ['authorization', 'content-type', 'content-encoding', 'git-protocol'].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
    const send = () => fetch(world.api.url() + url, { method, headers, ...body });
    if (method === 'POST') await (await send()).arrayBuffer();
    const answer = await send();
    const type = answer.headers.get('content-type') ?? 'text/plain';
    const challenge = answer.headers.get('www-authenticate');
    response.writeHead(answer.status, {
      'content-type': type,
      ...(challenge !== null && { 'www-authenticate': challenge }),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  it('is done, and says so', async () => {
    const repository = await world.create('repo');
    await world.client.working('work');
    const url = world.url(repository, 'owner').replace(/@[^/]+/, `@${new URL(wire.url).host}`);
    const push = async (...refspecs: string[]) => {
      const { code, stderr } = await world.client.run(['push', url, ...refspecs], { in: 'work' });
      expect(code, stderr).to.equal(0);
    };
    await push('main', 'main:topic');
    const second = await world.client.commit('work', { 'two.txt': 'two\n' });
    await push('main', ':topic');
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal({ 'refs/heads/main': second });
    expect(sorted((await world.logged(repository)).refs)).to.deep.equal({ 'refs/heads/main': second });
  });
});
