import { expect } from 'chai';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { ArchiveKey } from '../../src/archives/archive.js';
import { Archives } from '../../src/archives/archives.js';
import { DomainError } from '../../src/domain/errors.js';
import { closed } from '../support/closed.js';
import { rejection } from '../support/rejection.js';

const CLIENT = 'account 8';

describe('the cache of archives', () => {
  let dataDir: string;
  let archives: Archives;
  let made: string[];
  let source: (commit: string) => Readable;

  const key = (commit: string, repositoryId = 1): ArchiveKey => ({
    repositoryId,
    commit,
    format: 'zip',
    root: 'site',
  });
  const kept = async () =>
    (await readdir(join(dataDir, 'cache', 'archives'))).map((name) => name.split('-', 2).join('-')).sort();
  const opened = (maxBytes = 1_000n) => {
    const archive = (_id: number, commit: string) => {
      made.push(commit);
      return Promise.resolve(source(commit));
    };
    return new Archives({ git: { archive, bundle: archive }, dataDir, maxBytes });
  };
  /** What a client gets that asks for all, once it is kept. */
  const fetched = async (commit: string) => {
    const archive = await archives.open(key(commit), CLIENT);
    const content = await text(await archive.read());
    await archive.whole();
    return content;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tallyforge-archives-'));
    made = [];
    source = (commit) => Readable.from([Buffer.from(`bytes of ${commit}`)]);
    archives = opened();
  });
  afterEach(async () => {
    await archives.close();
    await rm(dataDir, { recursive: true });
  });

  it('makes an archive once, and gives parts of it', async () => {
    expect(await fetched('a')).to.equal('bytes of a');
    const again = await archives.open(key('a'), CLIENT);
    expect(again.size).to.equal(10);
    expect(await text(await again.read({ start: 6, end: 7 }))).to.equal('of');
    expect(made).to.deep.equal(['a']);
  });

  it('lets many read along while it is made, the first bytes at once', async () => {
    const slow = new PassThrough();
    source = () => slow;
    const asked = Promise.all([archives.open(key('a'), CLIENT), archives.open(key('a'), CLIENT)]);
    slow.write('one ');
    const [first, second] = await asked;
    const reading = (await first.read())[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).to.equal('one ');
    slow.end('two');
    expect(await text(await second.read())).to.equal('one two');
    expect(String((await reading.next()).value)).to.equal('two');
    expect(await reading.next()).to.have.property('done', true);
    expect(made).to.deep.equal(['a']);
    expect((await second.whole()).size).to.equal(7);
  });

  it('keeps it whole where two processes of the same number make it at the same moment', async () => {
    const slow = [new PassThrough(), new PassThrough()];
    source = () => slow[made.length - 1] ?? Readable.from([]);
    const { now } = Date;
    const moment = now();
    Date.now = () => moment;
    try {
      const asked = [archives, opened()].map((each) => each.open(key('a'), CLIENT));
      for (const stream of slow) stream.write('the same ');
      const both = await Promise.all(asked);
      for (const stream of slow) stream.end('bytes');
      const whole = await Promise.all(both.map((archive) => archive.whole()));
      for (const archive of whole) expect(await text(await archive.read())).to.equal('the same bytes');
    } finally {
      Date.now = now;
    }
  });

  it('keeps what was used last within its bound', async () => {
    archives = opened(25n);
    await fetched('a');
    await fetched('b');
    await archives.open(key('a'), CLIENT);
    await fetched('c');
    expect(await kept()).to.deep.equal(['1-a', '1-c']);
  });

  it('keeps nothing of what failed, tells who reads, and tries again', async () => {
    const failing = new PassThrough();
    source = () => failing;
    const asked = archives.open(key('a'), CLIENT);
    failing.write('some');
    const reading = buffer(await (await asked).read());
    failing.destroy(new Error('git died'));
    expect((await rejection(reading)).message).to.equal('git died');
    expect((await rejection((await asked).whole())).message).to.equal('git died');
    expect(await kept()).to.deep.equal([]);
    source = () => Readable.from([Buffer.from('better')]);
    expect(await fetched('a')).to.equal('better');
  });

  it('fails before anything is sent where there are no first bytes', async () => {
    source = () =>
      new Readable({
        read() {
          this.destroy(new Error('no tree'));
        },
      });
    expect((await rejection(archives.open(key('a'), CLIENT))).message).to.equal('no tree');
    expect(await kept()).to.deep.equal([]);
  });

  it('asks git for nothing where there can be no file', async () => {
    const long = 'a'.repeat(210); // with what tells an unfinished one from others, no name can be as long
    expect(await rejection(archives.open(key(long), CLIENT))).to.have.property('code', 'ENAMETOOLONG');
    expect(made).to.deep.equal([]);
  });

  it('goes on where there was no room for its folder', async () => {
    const folder = join(dataDir, 'cache', 'archives');
    await mkdir(join(dataDir, 'cache'));
    await symlink(join(dataDir, 'nowhere', 'at', 'all'), folder);
    for (const commit of ['a', 'b', 'c']) await rejection(archives.open(key(commit), CLIENT));
    await rm(folder);
    expect(await fetched('d')).to.equal('bytes of d');
  });

  it('gives up an archive that is larger than all it may keep', async () => {
    archives = opened(1_000n);
    source = () =>
      Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(300);
        })(),
      );
    const archive = archives.open(key('a'), CLIENT);
    const refusal = await rejection(archive.then((begun) => begun.whole()));
    expect(refusal).to.be.instanceOf(DomainError).and.include({ kind: 'invalid', code: 'archive.too_large' });
    expect(await kept()).to.deep.equal([]);
  });

  it('makes two at once, lets some wait and refuses more', async () => {
    const under: PassThrough[] = [];
    source = () => {
      const stream = new PassThrough();
      under.push(stream);
      return stream;
    };
    const asked = Array.from({ length: 60 }, (_, number) =>
      archives.open(key(String(number)), String(number)),
    );
    const outcomes = Promise.allSettled(asked);
    let refused = 0;
    for (const archive of asked) archive.catch(() => (refused += 1)); // whichever come last
    while (under.length < 2 || refused < 8) await new Promise(setImmediate);
    source = () => Readable.from([Buffer.from('quick')]);
    for (const stream of under) stream.end('done');
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(52);
  });

  it('leaves a place to others where one client asks for much that takes long, and refuses it more', async () => {
    source = (commit) => (commit === 'b' ? Readable.from([Buffer.from('quick')]) : new PassThrough());
    const asked = Array.from({ length: 12 }, (_, number) => archives.open(key(String(number)), CLIENT));
    const outcomes = Promise.allSettled(asked);
    let refused = 0;
    for (const archive of asked) archive.catch(() => (refused += 1));
    while (made.length === 0 || refused < 2) await new Promise(setImmediate);
    const other = await archives.open(key('b'), '192.0.2.7');
    expect(await text(await other.read())).to.equal('quick');
    expect(made).to.have.lengthOf(2).and.include('b');
    await archives.close();
    const codes = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code?: string }).code : undefined,
    );
    expect(codes.filter((code) => code === 'archive.busy')).to.have.lengthOf(2);
  });

  it('forgets a repository', async () => {
    await fetched('a');
    await (await archives.open(key('a', 11), CLIENT)).whole();
    await archives.forget(1);
    expect(await kept()).to.deep.equal(['11-a']);
  });

  it('is closed while an archive waits to be begun, and what begins it later ends at once', async () => {
    const late = new PassThrough();
    let begin = () => undefined as unknown;
    const asked = new Promise<void>((resolve) => {
      const archive = () => {
        resolve();
        return new Promise<Readable>((open) => (begin = () => open(late)));
      };
      archives = new Archives({ git: { archive, bundle: archive }, dataDir, maxBytes: 1_000n });
    });
    const refused = rejection(archives.open(key('a'), CLIENT));
    await asked;
    await archives.close();
    expect(await refused).to.include({ message: 'the server stops' });
    expect(await kept()).to.deep.equal([]);
    begin();
    await closed(late);
  });

  it('leaves nothing behind when it is closed meanwhile', async () => {
    const endless = new PassThrough();
    source = () => endless;
    const asked = archives.open(key('a'), CLIENT);
    endless.write('some');
    await asked;
    await archives.close();
    expect(await kept()).to.deep.equal([]);
  });
});
