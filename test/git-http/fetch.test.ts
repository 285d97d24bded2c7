import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FLUSH, packet } from '../../src/push/pkt-line.js';
import { refusal } from '../git/repositories.js';
import { isRunning, until } from '../support/process.js';
import { descendantsOf } from './processes.js';
import { gitWorld, type GitWorld, type TestRepository } from './world.js';

const UPLOAD = 'application/x-git-upload-pack-request';
/** The programs that one client may have. */
const SHARE = 32;

describe('git over HTTP: fetch', () => {
  let world: GitWorld;
  let repository: TestRepository;
  let head: string;

  before(async () => {
    world = await gitWorld();
    repository = await world.create('repo');
    await world.client.working('repo', { 'small.txt': 'small\n', 'large.txt': 'large\n'.repeat(20_000) });
    for (const number of [1, 2, 3]) await world.client.commit('repo', { 'small.txt': `${number}\n` });
    head = await world.client.commit('repo', { 'large.txt': 'larger\n'.repeat(20_000) });
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: 'repo' });
  });
  after(() => world.stop());

  const at = (path: string) => `${world.api.url()}/owner/repo${path}`;
  const post = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    fetch(at('/git-upload-pack'), { method: 'POST', body, headers: { 'content-type': UPLOAD, ...headers } });
  const wants = (hash: string) => {
    const line = `want ${hash} ofs-delta\n`;
    return `${(line.length + 4).toString(16).padStart(4, '0')}${line}00000009done\n`;
  };

  for (const version of ['0', '1', '2'])
    it(`clones and fetches by version ${version} of the protocol`, async () => {
      const name = `v${version}`;
      await world.client.git(['-c', `protocol.version=${version}`, 'clone', '--quiet', at('.git'), name]);
      expect(await world.client.git(['rev-parse', 'HEAD'], { in: name })).to.equal(head);
      await world.client.git(['-c', `protocol.version=${version}`, 'fetch', '--quiet'], { in: name });
      await world.client.git(['fsck', '--strict'], { in: name });
    });

  it('answers with and without .git, in any letter case', async () => {
    for (const path of ['/owner/repo', '/owner/repo.git', '/OWNER/Repo.git'])
      expect(await world.client.git(['ls-remote', `${world.api.url()}${path}`, 'main'])).to.contain(head);
  });

  it('clones a repository without anything in it', async () => {
    const empty = await world.create('empty');
    const { code, stderr } = await world.client.run(['clone', world.url(empty), 'empty']);
    expect(code).to.equal(0);
    expect(stderr).to.contain('empty repository');
  });

  it('clones shallow, and deepens', async () => {
    await world.client.git(['clone', '--quiet', '--depth=2', at('.git'), 'shallow']);
    const count = () => world.client.git(['rev-list', '--count', 'HEAD'], { in: 'shallow' });
    expect(await count()).to.equal('2');
    await world.client.git(['fetch', '--quiet', '--deepen=1'], { in: 'shallow' });
    expect(await count()).to.equal('3');
    await world.client.git(['fetch', '--quiet', '--unshallow'], { in: 'shallow' });
    expect(await count()).to.equal('5');
  });

  for (const version of ['0', '2'])
    it(`clones without blobs by version ${version}, and fetches those that it needs`, async () => {
      const name = `partial-${version}`;
      const options = ['-c', `protocol.version=${version}`];
      await world.client.git([
        ...options,
        'clone',
        '--quiet',
        '--filter=blob:none',
        '--no-checkout',
        at('.git'),
        name,
      ]);
      const missing = () =>
        world.client.git(['rev-list', '--objects', '--all', '--missing=print'], { in: name });
      expect(await missing()).to.match(/^\?/m);
      await world.client.git([...options, 'checkout', '--quiet', 'main'], { in: name });
      expect(await world.client.git(['status', '--porcelain'], { in: name })).to.equal('');
    });

  it('tells caches to keep nothing, and says what it speaks', async () => {
    const answer = await fetch(at('/info/refs?service=git-upload-pack'));
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/x-git-upload-pack-advertisement');
    expect(answer.headers.get('cache-control')).to.equal('no-cache, max-age=0, must-revalidate');
    expect(answer.headers.get('pragma')).to.equal('no-cache');
    expect(answer.headers.get('expires')).to.equal('Fri, 01 Jan 1980 00:00:00 GMT');
    const text = await answer.text();
    expect(text.startsWith('001e# service=git-upload-pack\n0000')).to.equal(true);
    expect(text).to.contain(`${head} refs/heads/main`).and.to.contain('symref=HEAD:refs/heads/main');
  });

  it('takes a version of the protocol only in safe words', async () => {
    const advertised = async (protocol: string) => {
      const headers = { 'git-protocol': protocol };
      return (await fetch(at('/info/refs?service=git-upload-pack'), { headers })).text();
    };
    expect(await advertised('version=2')).to.contain('version 2');
    expect(await advertised('version=2:x=$(id)')).not.to.contain('version 2');
    expect(await advertised('version=2 --x')).not.to.contain('version 2');
  });

  it('says why it gives nothing to who shuts out every commit', async () => {
    const body = `${packet(`want ${head}\n`)}${packet('deepen-not main\n')}0000${packet('done\n')}`;
    const answer = await post(body);
    expect(answer.status).to.equal(400);
    expect(await answer.text()).to.equal('no commits selected for shallow requests\n');
  });

  it('says what is wrong with a filter', async () => {
    for (const filter of ['bogus', 'blob:limit=-1', `tree:${'9'.repeat(20)}`]) {
      const asked = [`want ${head}\n`, `filter ${filter}\n`, 'done\n'].map(packet).join('');
      const answer = await post(`${packet('command=fetch')}0001${asked}${FLUSH}`, {
        'git-protocol': 'version=2',
      });
      expect(answer.status, filter).to.equal(400);
      expect(await answer.text()).to.match(/filter|tree/);
    }
  });

  it('does not filter by patterns in a file, which git may take hours to match', async () => {
    for (const filter of ['sparse:oid=main:small.txt', 'combine:blob:none+sparse:oid=main:small.txt']) {
      const { code, stderr } = await world.client.run(['clone', `--filter=${filter}`, at('.git'), 'sparse']);
      expect(code, filter).to.equal(128);
      expect(stderr).to.contain("filter 'sparse:oid' not supported");
    }
  });

  it('reads a packed body', async () => {
    const answer = await post(gzipSync(wants(head)), { 'content-encoding': 'GZip' });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/x-git-upload-pack-result');
    expect(Buffer.from(await answer.arrayBuffer()).includes('PACK')).to.equal(true);
  });

  it('refuses a body that is packed wrongly, or otherwise, or of another type', async () => {
    expect((await post('no gzip', { 'content-encoding': 'gzip' })).status).to.equal(400);
    expect(
      (await post(gzipSync(wants(head)).subarray(0, 30), { 'content-encoding': 'gzip' })).status,
    ).to.equal(400);
    expect((await post('x', { 'content-encoding': 'br' })).status).to.equal(415);
    expect((await post('x', { 'content-type': 'text/plain' })).status).to.equal(415);
  });

  it('refuses a body that is not of the protocol', async () => {
    for (const body of ['', 'garbage', '0003', 'ffff', '0009done\n', wants(head).slice(0, 20)])
      expect((await post(body)).status, body).to.equal(400);
    const second = { 'git-protocol': 'version=2' };
    const [dig, list, get] = ['000fcommand=dig', '0013command=ls-refs', '0011command=fetch'];
    for (const body of [wants(head), '0002', `${dig}0000`, `${list}00010007dig0000`, `${list}${get}0000`])
      expect((await post(body, second)).status, body).to.equal(400);
  });

  it('refuses a body that unpacks without end', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, '0'));
    const { status } = await post(bomb, { 'content-encoding': 'gzip' });
    expect(status).to.be.oneOf([200, 413]); // git has said its word before, or it is refused
  });

  it('has no dumb protocol and no other services', async () => {
    for (const path of [
      '/info/refs',
      '/info/refs?service=git-upload-archive',
      '/info/refs?service=--help',
      '/HEAD',
      '/objects/info/packs',
      `/objects/${head.slice(0, 2)}/${head.slice(2)}`,
      '/config',
      '/../repo/HEAD',
    ])
      expect((await fetch(at(path))).status, path).to.equal(404);
    expect((await fetch(at('/git-upload-archive'), { method: 'POST' })).status).to.equal(404);
  });

  it('tells by which methods a path is asked for', async () => {
    for (const [path, method, allowed] of [
      ['/git-upload-pack', 'GET', 'OPTIONS, POST'],
      ['/git-receive-pack', 'HEAD', 'OPTIONS, POST'],
      ['/info/refs?service=git-upload-pack', 'POST', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await fetch(at(path), { method });
      expect(answer.status, path).to.equal(405);
      expect(answer.headers.get('allow')).to.equal(allowed);
    }
    const options = await fetch(at('/git-upload-pack'), { method: 'OPTIONS' });
    expect(options.status).to.equal(204);
  });

  it('asks nobody to sign in for names that lead elsewhere', async () => {
    for (const place of ['owner/..%2frepo.git', '..%2f..%2fetc/repo', 'owner%5crepo/x', 'owner/.git'])
      for (const service of ['git-upload-pack', 'git-receive-pack']) {
        const url = `${world.api.url()}/${place}/info/refs?service=${service}`;
        expect((await fetch(url)).status, place).to.equal(404);
      }
  });

  it('has no wikis', async () => {
    const url = `${world.api.url()}/owner/repo.wiki.git/info/refs?service=git-upload-pack`;
    expect((await fetch(url)).status).to.equal(401);
    const token = await world.api.createToken('owner', 'read:repository');
    expect((await fetch(url, { headers: { authorization: `token ${token.token}` } })).status).to.equal(404);
  });

  it('answers many clones at once', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `many-${index}`);
    await Promise.all(
      names.map((name) => world.client.git(['clone', '--quiet', '--bare', at('.git'), name])),
    );
    for (const name of names)
      expect(await world.client.git(['rev-parse', 'main'], { in: name })).to.equal(head);
  });

  it('serves two hundred clones at once to their end', async () => {
    const clone = async () => Buffer.from(await (await post(wants(head))).arrayBuffer());
    const answers = await Promise.all(Array.from({ length: 200 }, clone));
    for (const answer of answers) expect(answer.includes('PACK')).to.equal(true);
  });

  describe('of a large repository', () => {
    let large: TestRepository;
    let hash: string;

    before(async () => {
      large = await world.create('large');
      const random = Buffer.alloc(24 * 1024 * 1024);
      for (let index = 0; index < random.length; index += 4)
        random.writeUInt32LE(Math.floor(Math.random() * 2 ** 32), index);
      await world.client.working('large', { 'random.bin': random });
      hash = await world.client.git(['rev-parse', 'HEAD'], { in: 'large' });
      await world.client.git(['push', '--quiet', world.url(large, 'owner'), 'main'], { in: 'large' });
    });

    const begin = async (signal: AbortSignal) => {
      const headers = { 'content-type': UPLOAD };
      const url = `${world.url(large)}/git-upload-pack`;
      const answer = await fetch(url, { method: 'POST', body: wants(hash), headers, signal });
      const reader = (answer.body ?? expect.fail('no body')).getReader();
      await reader.read(); // git is at work, and waits for us to read more
      return reader;
    };
    const programs = () => descendantsOf(process.pid, 'upload-pack');

    it('ends git when the client is gone', async () => {
      const gone = new AbortController();
      await begin(gone.signal);
      const running = await programs();
      expect(running).not.to.deep.equal([]);
      gone.abort();
      await until(async () => (await Promise.all(running.map(isRunning))).every((runs) => !runs));
    });

    it('cuts the connection where git was killed, which would look like the end of the answer otherwise', async () => {
      const reader = await begin(new AbortController().signal);
      for (const pid of await programs()) process.kill(pid, 'SIGKILL');
      const rest = async () => {
        while (!(await reader.read()).done);
      };
      expect(await refusal(rest())).to.be.instanceOf(TypeError);
    });

    it('holds two hundred clients with no more programs than one client may have, and next to nothing in memory', async () => {
      const before = process.memoryUsage().rss;
      const gone = new AbortController();
      let held = 0;
      const clients = Array.from({ length: 200 }, () =>
        begin(gone.signal).then(
          () => (held += 1),
          () => undefined,
        ),
      );
      await until(async () => held >= SHARE && (await programs()).length >= SHARE);
      for (let looks = 0; looks < 20; looks += 1) {
        expect(held).to.equal(SHARE);
        await sleep(20);
      }
      expect(await programs()).to.have.length(SHARE);
      expect(process.memoryUsage().rss - before).to.be.below(SHARE * 4 * 1024 * 1024);
      gone.abort();
      await Promise.all(clients);
      await until(async () => (await programs()).length === 0);
      const [name] = (await world.client.git(['ls-remote', at('.git'), 'main'])).split('\t');
      expect(name).to.equal(head);
    });

    it('ends or cuts off whoever clones a repository that is deleted, and leaves neither folder nor program', async () => {
      const readers = await Promise.all(Array.from({ length: 4 }, () => begin(new AbortController().signal)));
      expect((await world.owner.delete('/repos/owner/large')).status).to.equal(204);
      expect(existsSync(world.disk.pathOf(large.id))).to.equal(false);
      const rest = async (reader: (typeof readers)[number]) => {
        while (!(await reader.read()).done);
      };
      for (const { status, ...outcome } of await Promise.allSettled(readers.map(rest)))
        if (status === 'rejected') expect(outcome).to.have.property('reason').instanceOf(TypeError);
      await until(async () => (await programs()).length === 0);
      const { stderr } = await world.client.run(['clone', world.url(large, 'owner'), 'too-late']);
      expect(stderr).to.contain('not found');
    });
  });

  it('cuts a clone off when the repository goes, and leaves no program behind', async () => {
    const doomed = await world.create('doomed');
    await world.client.working('doomed');
    await world.client.git(['push', '--quiet', world.url(doomed, 'owner'), 'main'], { in: 'doomed' });
    const clones = Array.from({ length: 8 }, (_, index) =>
      world.client.run(['clone', '--quiet', '--bare', world.url(doomed), `doomed-${index}`]),
    );
    await world.disk.remove(doomed.id);
    for (const { code } of await Promise.all(clones)) expect(code).to.be.oneOf([0, 128]);
    expect((await fetch(`${world.url(doomed)}/info/refs?service=git-upload-pack`)).status).to.equal(404);
    const folders = await readdir(join(world.dataDir, 'repositories'));
    expect(folders).to.include('locks');
  });
});
