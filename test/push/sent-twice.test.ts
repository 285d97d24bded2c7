import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '../support/git-server.js';
import { gitWorld, sorted, type GitWorld } from '../git-http/world.js';

/** HTTP clients send a request once more, by themselves, when a connection that was kept open dies before the answer. */
describe('a push that arrives twice', () => {
  let world: GitWorld;
  let wire: Awaited<ReturnType<typeof serve>>;
  /** Whether the second arrival finds the first one answered, rather than under way. */
  let isPatient = true;

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
    const first = method === 'POST' ? send().then((answer) => answer.arrayBuffer()) : Promise.resolve();
    if (isPatient) await first;
    const answer = await send();
    await first;
    const type = answer.headers.get('content-type') ?? 'text/plain';
    const challenge = answer.headers.get('www-authenticate');
    response.writeHead(answer.status, {
      'content-type': type,
      ...(challenge !== null && { 'www-authenticate': challenge }),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  for (const [when, patient] of [
    ['after the other', true],
    ['beside the other', false],
  ] as const)
    it(`is done, and says so, one ${when}`, async () => {
      isPatient = patient;
      const repository = await world.create(`repo-${patient}`);
      const name = `work-${patient}`;
      await world.client.working(name);
      const url = world.url(repository, 'owner').replace(/@[^/]+/, `@${new URL(wire.url).host}`);
      const push = async (...refspecs: string[]) => {
        const { code, stderr } = await world.client.run(['push', url, ...refspecs], { in: name });
        expect(code, stderr).to.equal(0);
      };
      await push('main', 'main:topic');
      let last = '';
      for (const file of ['two.txt', 'three.txt', 'four.txt']) {
        last = await world.client.commit(name, { [file]: 'more\n' });
        await push('main', 'main:topic');
      }
      await push(':topic');
      expect(sorted(await world.disk.refs(repository.id))).to.deep.equal({ 'refs/heads/main': last });
      expect(sorted((await world.logged(repository)).refs)).to.deep.equal({ 'refs/heads/main': last });
    });
});
