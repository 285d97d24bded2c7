import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bodyOf } from '../../src/git-http/body.js';
import { exchange } from '../../src/git-http/exchange.js';
import type { Ended } from '../../src/git/port/programs.js';
import { FLUSH, packet } from '../../src/push/pkt-line.js';
import { until } from '../support/process.js';
import { PASSWORD } from '../support/api.js';
import { basic } from '../support/client.js';
import { descendantsOf } from './processes.js';
import { gitWorld, sorted, type GitWorld, type TestRepository } from './world.js';

const run = promisify(execFile);
const ZERO = '0'.repeat(40);

describe('git over HTTP, when the world is against it', () => {
  let world: GitWorld;
  let name: string;
  let repository: TestRepository;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());
  beforeEach(async () => {
    name = `hard-${(count += 1)}`;
    repository = await world.create(name);
    await world.client.working(name);
    await push('main');
  });

  const push = (spec: string, user = 'owner') =>
    world.client.run(['push', world.url(repository, user), spec], { in: name });
  const onDisk = async () => sorted(await world.disk.refs(repository.id));
  const inLog = async () => sorted((await world.logged(repository)).refs);

  /** A push of a new branch at what was committed last, whose pack is still to be sent. */
  async function begunPush(
    user: string,
    address = world.api.url(),
  ): Promise<{ sending: ClientRequest; rest: Buffer }> {
    const hash = await world.client.git(['rev-parse', 'HEAD'], { in: name });
    const packed = join(world.client.folder, `${name}-pack`);
    await world.client.git(['pack-objects', '--quiet', '--revs', packed], {
      in: name,
      input: `${hash}\n^${hash}~1\n`,
    });
    const { stdout: rest } = await run('bash', ['-c', 'cat "$0"-*.pack', packed], { encoding: 'buffer' });
    const sending = request(`${address}/owner/${name}.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: basic(user, PASSWORD),
        'content-type': 'application/x-git-receive-pack-request',
      },
    });
    sending.write(packet(`${ZERO} ${hash} refs/heads/late\0report-status agent=git/2.40`) + FLUSH);
    return { sending, rest };
  }

  /** All of a request that waits for its turn, sent. */
  async function wholeRequest(): Promise<ClientRequest> {
    const { origin, pathname } = new URL(world.url(repository, 'owner'));
    const sent = request(`${origin}${pathname}/git-upload-pack`, {
      method: 'POST',
      headers: {
        authorization: basic('owner', PASSWORD),
        'content-type': 'application/x-git-upload-pack-request',
        'content-length': 40_000,
      },
    });
    sent.on('error', () => undefined).write('x'.repeat(20_000));
    await sleep(50); // what comes in one piece is taken in one
    sent.end('x'.repeat(20_000));
    await sleep(50);
    return sent;
  }

  it('refuses a push whose pusher loses the right to it on the way', async () => {
    const collaborator = `/repos/owner/${name}/collaborators/reader`;
    await world.owner.put(collaborator, { permission: 'write' });
    // Somebody else's change: on a slow machine its answer comes before it shows.
    await until(async () => {
      const { json } = await world.owner.get(`${collaborator}/permission`);
      return (json as { permission: string }).permission === 'write';
    });
    await world.client.commit(name, { 'late.txt': 'late\n' });
    const before = await inLog();
    const { sending, rest } = await begunPush('reader');
    const answered = new Promise<string>((resolve, reject) => {
      sending.on('error', reject).on('response', (response) => {
        text(response).then(resolve, reject);
      });
    });
    await until(async () => (await descendantsOf(process.pid, 'receive-pack')).length > 0);
    expect((await world.owner.delete(collaborator)).status).to.equal(204);
    sending.end(rest);
    expect(await answered).to.contain('ng refs/heads/late pre-receive hook declined');
    expect(await inLog()).to.deep.equal(before);
    expect(await onDisk()).to.deep.equal(before);
  });

  it('keeps places for others where one client has taken many, and gets back those of who is gone', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await world.client.commit(name, { 'late.txt': 'late\n' });
    const begun = await Promise.all(Array.from({ length: 40 }, () => begunPush('owner')));
    for (const { sending } of begun) sending.on('error', () => undefined);
    const programs = () => descendantsOf(process.pid, 'receive-pack');
    await until(async () => (await programs()).length >= 32);
    const { code, stderr } = await world.client.run(['ls-remote', world.url(repository, 'reader')]);
    expect(code, stderr).to.equal(0);
    expect(await programs()).to.have.length(32);
    const whole = await Promise.all(Array.from({ length: 20 }, wholeRequest));
    for (const { sending } of begun) sending.destroy();
    for (const sent of whole) sent.destroy();
    expect((await push('main:late')).code).to.equal(0);
    await until(async () => (await programs()).length === 0);
    await until(() => timers() < before + 10); // whoever waits for a body holds one
  });

  it('refuses a push that comes by drops, and leaves neither objects nor programs', async () => {
    const strict = await world.api.another({
      config: { dataDir: world.dataDir },
      gitPace: { bytes: 1_000, everyMs: 100 },
    });
    await world.client.commit(name, { 'late.bin': randomBytes(100_000) }); // more than the drops, however late the refusal
    const [size, before] = [await world.disk.sizeOf(repository.id), await inLog()];
    const { sending, rest } = await begunPush('owner', strict.url());
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    let sent = 0;
    const drops = setInterval(() => sending.write(rest.subarray(sent, (sent += 1))), 20);
    try {
      const [answer] = await answered;
      expect([answer.statusCode, await text(answer)]).to.deep.equal([408, 'the request comes too slowly\n']);
      expect(sent).to.be.lessThan(rest.length);
    } finally {
      clearInterval(drops);
      sending.on('error', () => undefined).destroy();
    }
    await until(async () => (await descendantsOf(process.pid, 'receive-pack')).length === 0);
    expect(await world.disk.sizeOf(repository.id)).to.equal(size);
    expect(await inLog()).to.deep.equal(before);
    expect((await push('main:late')).code).to.equal(0);
    await strict.stop();
  });

  describe('does not hold a git program whose client has hung up before it began', () => {
    /** Serves a program to a client that is gone; resolves with how the program ended. */
    async function serveGone(args: readonly string[], graceMs = 0): Promise<Ended> {
      let resolve: (ended: Promise<Ended>) => void = () => undefined;
      const ended = new Promise<Ended>((settle) => (resolve = settle));
      const server = createServer((request, response) => {
        const serve = async () => {
          const body = bodyOf(request, { maxBytes: 1_000, pace: { bytes: 1, everyMs: 600_000 } });
          const program = await world.disk.start(repository.id, args);
          resolve(program.ended);
          await exchange(program, response, { body, headers: {}, graceMs });
        };
        request.on('error', () => undefined).once('close', () => setImmediate(() => void serve()));
        request.socket.destroy();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const sending = request({ port: (server.address() as AddressInfo).port, method: 'POST' });
      sending.on('error', () => undefined).write('0011command=fetch');
      const how = await ended;
      server.close();
      return how;
    }

    it('that waits for input', async () => {
      // Its client would have ten minutes. It is killed, unless it meets the end of its input before that.
      expect((await serveGone(['upload-pack', '--stateless-rpc', '.'])).code).to.be.oneOf([null, 128]);
    });

    it('that has much to say', async () => {
      // It is killed, unless it ends before that, with 128 + SIGKILL, because what it started was.
      const { code } = await serveGone(['-c', 'alias.chatter=!yes', 'chatter']);
      expect(code).to.be.oneOf([null, 137]);
    });

    it('that says much while it is given time to tidy up', async () => {
      const late = '!sleep 0.2; head -c 5000000 /dev/zero';
      expect((await serveGone(['-c', `alias.late=${late}`, 'late'], 60_000)).code).to.equal(0);
    });
  });

  describe('with a disk that is full', () => {
    let path: string;

    /** Gives the repository a disk of its own, of one megabyte; only root may. */
    beforeEach(async function () {
      path = world.disk.pathOf(repository.id);
      const aside = await mkdtemp(join(tmpdir(), 'tallyforge-disk-'));
      await cp(path, aside, { recursive: true });
      try {
        await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tallyforge-test', path]);
      } catch {
        console.warn('      (skipped: mounting a small disk takes root)');
        this.skip();
      }
      await cp(aside, path, { recursive: true });
      await rm(aside, { recursive: true });
    });
    afterEach(() => run('umount', ['--lazy', path]).catch(() => undefined));

    const fill = () => writeFile(join(path, 'filler'), Buffer.alloc(2_000_000)).catch(() => undefined);

    it('refuses a push whose objects do not fit, and takes the next that do', async () => {
      const before = await inLog();
      const noise = Buffer.alloc(3_000_000);
      for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
      await world.client.commit(name, { 'large.bin': noise });
      expect((await push('main:large')).code).to.not.equal(0);
      expect(await inLog()).to.deep.equal(before);
      expect(await onDisk()).to.deep.equal(before);
      await world.client.git(['reset', '--quiet', '--hard', 'HEAD~1'], { in: name });
      const hash = await world.client.commit(name, { 'small.txt': 'small\n' });
      const { code, stderr } = await push('main:small');
      expect(code, stderr).to.equal(0);
      expect(await onDisk()).to.deep.equal({ ...before, 'refs/heads/small': hash });
      expect(await inLog()).to.deep.equal(await onDisk());
    });

    it('refuses to move a ref that cannot be written, here and in the log', async () => {
      const before = await inLog();
      await fill();
      expect((await push('main:topic')).code).to.not.equal(0);
      const asked = await world.owner.post(`/repos/owner/${name}/branches`, { new_branch_name: 'topic' });
      expect(asked.status).to.be.at.least(400);
      expect(await inLog()).to.deep.equal(before);
      await rm(join(path, 'filler'));
      expect((await push('main:topic')).code).to.equal(0);
      expect(await onDisk()).to.deep.equal({ ...before, 'refs/heads/topic': before['refs/heads/main'] });
      expect(await inLog()).to.deep.equal(await onDisk());
    });
  });

  describe('with a disk that is full, for what is prepared as well', () => {
    let folder: string;
    let small: GitWorld;

    /** A world whose repositories share a disk of some megabytes; only root may. */
    before(async function () {
      folder = await mkdtemp(join(tmpdir(), 'tallyforge-disk-'));
      try {
        await run('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=711', 'tallyforge-test', folder]);
      } catch {
        console.warn('      (skipped: mounting a small disk takes root)');
        this.skip();
      }
      small = await gitWorld({ dataBelow: folder });
    });
    after(async () => {
      await (small as GitWorld | undefined)?.stop();
      await run('umount', ['--lazy', folder]).catch(() => undefined);
      await rm(folder, { recursive: true });
    });

    it('makes no file, repository or fork by the API, and makes each once there is room', async () => {
      const { owner, reader } = small;
      const at = await small.create('there');
      const write = (path: string) => owner.post(`/repos/owner/there/contents/${path}`, { content: '' });
      expect((await write('first')).status).to.equal(201);
      const rest = [
        () => write('second'),
        () => owner.post('/user/repos', { name: 'another', auto_init: true }),
        () => reader.post('/repos/owner/there/forks', {}),
      ];
      const idsOnDisk = async () => {
        const ids = [];
        for await (const id of small.disk.ids()) ids.push(id);
        return ids.sort();
      };
      const state = async () => ({
        inLog: sorted((await small.logged(at)).refs),
        onDisk: sorted(await small.disk.refs(at.id)),
        all: (await small.api.admin.get('/repos/search')).json,
        ids: await idsOnDisk(),
      });
      const before = await state();
      const filler = join(folder, 'filler');
      await writeFile(filler, Buffer.alloc(3_000_000)).catch(() => undefined);
      for (const one of rest) {
        const { status, text: words } = await one();
        expect([status, words.includes(folder)]).to.deep.equal([503, false]);
      }
      expect(await state()).to.deep.equal(before);
      await rm(filler);
      for (const one of rest) expect((await one()).status).to.be.oneOf([201, 202]);
      const { inLog, onDisk, ids } = await state();
      expect(onDisk).to.deep.equal(inLog).and.to.not.deep.equal(before.onDisk);
      expect(ids).to.have.length(before.ids.length + 2);
    });
  });
});
