import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { FLUSH } from '../../src/push/pkt-line.js';
import { PASSWORD } from '../support/api.js';
import { basic } from '../support/client.js';
import { closed } from '../support/closed.js';
import { until } from '../support/process.js';
import { descendantsOf } from './processes.js';
import { gitWorld, sorted, type GitWorld, type TestRepository } from './world.js';

const EXPECTING = { Expect: '100-continue' };
const MEBIBYTE = 1024 * 1024;

describe('git over HTTP: Expect: 100-continue', () => {
  let world: GitWorld;
  let repository: TestRepository;

  before(async () => {
    world = await gitWorld();
    repository = await world.create('repo');
    await world.client.working('repo');
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: 'repo' });
  });
  after(() => world.stop());

  /** The head of a push, after which the client waits to be told whether to send the rest. */
  function announce(headers: Record<string, string>) {
    const sending = request(`${world.url(repository)}/git-receive-pack`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-git-receive-pack-request',
        'content-length': String(MEBIBYTE),
        ...EXPECTING,
        ...headers,
      },
    });
    sending.flushHeaders();
    let isTold = false;
    sending.on('continue', () => (isTold = true));
    return { sending, isTold: () => isTold };
  }

  const answerTo = async (sending: ClientRequest) =>
    (await once(sending, 'response')) as [answer: IncomingMessage];

  it('has git send a push that begins to be sent in chunks, and fetch by it', async () => {
    const noise = Buffer.alloc(MEBIBYTE);
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const hash = await world.client.commit('repo', { 'noise.bin': noise });
    const options = ['-c', 'http.extraHeader=Expect: 100-continue', '-c', 'http.postBuffer=65536'];
    const env = { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' };
    const url = world.url(repository, 'owner');
    const pushed = await world.client.run([...options, 'push', url, 'main'], { in: 'repo', env });
    expect(pushed.code, pushed.stderr).to.equal(0);
    const posted = pushed.stderr.split(/=> Send header: POST /).slice(1);
    const large = posted.find((exchanged) => /Transfer-Encoding: chunked/i.test(exchanged));
    expect(large).to.match(/Send header: Expect: 100-continue/);
    expect(large).to.match(/Recv header: HTTP\/1\.1 100 Continue[^]*Recv header: HTTP\/1\.1 200 OK/);
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal({ 'refs/heads/main': hash });
    const cloned = await world.client.run([...options, 'clone', '--bare', url, 'cloned'], { env });
    expect(cloned.code, cloned.stderr).to.equal(0);
    expect(await world.client.git(['rev-parse', 'main'], { in: 'cloned' })).to.equal(hash);
  });

  it('is answered with 100 Continue once the client may push, and with the result once it has', async () => {
    const { sending } = announce({ authorization: basic('owner', PASSWORD), 'content-length': '8' });
    await once(sending, 'continue');
    sending.end('00000000');
    const [answer] = await answerTo(sending);
    expect(answer.statusCode).to.equal(200);
    answer.resume();
  });

  for (const [what, status, headers] of [
    ['nobody', 401, {}],
    ['a wrong password', 401, { authorization: basic('owner', 'wrong') }],
    ['who may only read', 403, { authorization: basic('reader', PASSWORD) }],
    [
      'another type of body',
      415,
      { authorization: basic('owner', PASSWORD), 'content-type': 'application/json' },
    ],
    ['another encoding', 415, { authorization: basic('owner', PASSWORD), 'content-encoding': 'br' }],
  ] as const)
    it(`is answered with ${status} for ${what}, without a word of the body`, async () => {
      const programs = () => descendantsOf(process.pid, 'receive-pack');
      await until(async () => (await programs()).length === 0); // those of pushes before
      const { sending, isTold } = announce(headers);
      const [answer] = await answerTo(sending);
      expect([answer.statusCode, isTold()]).to.deep.equal([status, false]);
      expect(answer.headers.connection).to.equal('close');
      expect(await text(answer)).to.match(/^[^\n]+\n$/);
      if (!sending.socket?.destroyed) await closed(sending); // by the server: the body never came
      expect(sending.socket?.bytesWritten).to.be.lessThan(1_000);
      expect(await programs()).to.deep.equal([]);
    });

  it('does not keep a client from sending at once', async () => {
    const { sending } = announce({ authorization: basic('owner', PASSWORD), 'content-length': '4' });
    sending.end(FLUSH); // the probe
    const [answer] = await answerTo(sending);
    expect([answer.statusCode, await text(answer)]).to.deep.equal([200, '']);
  });

  it('is answered by the API as well, after the caller was found to have the right', async () => {
    const post = (authorization: string) => {
      const sending = request(`${world.api.url()}/api/v1/repos/owner/repo/branches`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
          authorization,
          ...EXPECTING,
        },
      });
      sending.flushHeaders();
      return sending;
    };
    const refused = post(basic('reader', PASSWORD));
    refused.once('continue', () => expect.fail('the body was asked for'));
    const [no] = await answerTo(refused);
    expect([no.statusCode, no.headers.connection]).to.deep.equal([403, 'close']);
    no.resume();
    const taken = post(basic('owner', PASSWORD));
    await once(taken, 'continue');
    taken.end(JSON.stringify({ new_branch_name: 'topic' }));
    const [yes] = await answerTo(taken);
    expect([yes.statusCode, JSON.parse(await text(yes))]).to.have.nested.property('[1].name', 'topic');
  });
});
