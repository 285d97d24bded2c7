import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { existsSync, readdirSync } from 'node:fs';
import promises, { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { GitRemoteRefused, GitRepositoryExists, GitRepositoryMissing } from '../../src/git/port/errors.js';
import { filesBelow } from '../support/files-below.js';
import { serveFolder, type ServedFolder } from '../support/git-server.js';
import {
  commitFiles,
  pack,
  realGit,
  realHash,
  refusal,
  repositories,
  type Repositories,
} from './repositories.js';

/** What a server shows that has 5,000 refs which are all called HEAD at their end. */
function* manyHeads(hash: string): Iterable<string> {
  const packet = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line;
  yield `${packet('# service=git-upload-pack\n')}0000${packet(`${hash} HEAD\0agent=x\n`)}`;
  const folder = `refs/${'x'.repeat(200)}`;
  for (let i = 0; i < 5_000; i += 1) yield packet(`${hash} ${folder}/${i}/HEAD\n`);
  yield '0000';
}

const describedBelow = async (folder: string) =>
  Promise.all(
    (await filesBelow(folder)).sort().map(async (path) => {
      const { mode, nlink, size } = await stat(path);
      return { name: relative(folder, path), mode, nlink, size };
    }),
  );

describe('git: copies', () => {
  let at: Repositories;
  let main: string;
  let side: string;
  before(async () => {
    at = await repositories();
    const { git } = at;
    await git.create(1, { defaultBranch: 'trunk' });
    main = await commitFiles(git, 1, { a: '1', b: '2' }, { branch: 'trunk' });
    await git.gc(1);
    side = await commitFiles(git, 1, { a: '3' }, { branch: 'feature/x', parents: [main] });
    await realGit(git.pathOf(1), ['tag', '-a', '-m', 'One', 'v1', main]);
    await realGit(git.pathOf(1), ['update-ref', 'refs/pull/1/head', side]);
  });
  after(() => at.remove());

  const tag = () => realHash(at.git.pathOf(1), ['rev-parse', 'v1']);
  const everything = async () => ({
    'refs/heads/trunk': main,
    'refs/heads/feature/x': side,
    'refs/tags/v1': await tag(),
  });
  const nothingAside = async () => {
    expect(await readdir(join(at.folder, 'staging'))).to.deep.equal([]);
  };

  describe('forks', () => {
    it('have branches, tags and default branch of the base, and no tie to it', async () => {
      const { git } = at;
      const { refs, defaultBranch } = await git.fork(1, 10);
      expect(Object.fromEntries(refs)).to.deep.equal(await everything());
      expect(defaultBranch).to.equal('trunk');
      expect(await git.head(10)).to.equal('trunk');
      expect(Object.fromEntries(await git.refs(10))).to.deep.equal(await everything());
      await realGit(git.pathOf(10), ['fsck', '--strict']);
      expect(await readdir(join(git.pathOf(10), 'objects/info')).catch(() => [])).not.to.include(
        'alternates',
      );
    });

    it('share the bytes of the base, and outlive it', async () => {
      const { git } = at;
      await git.fork(1, 11);
      await git.fork(11, 12);
      const [pack] = (await readdir(join(git.pathOf(12), 'objects/pack'))).filter((name) =>
        name.endsWith('.pack'),
      );
      expect((await stat(join(git.pathOf(12), 'objects/pack', pack ?? ''))).nlink).to.be.greaterThan(2);
      await git.remove(11);
      await git.gc(1);
      await realGit(git.pathOf(12), ['fsck', '--strict']);
      expect(await git.resolve(12, 'trunk')).to.include({ hash: main });
      await commitFiles(git, 12, { own: 'x' }, { branch: 'trunk' });
      expect(await git.resolve(1, 'trunk')).to.include({ hash: main });
    });

    it('have copies of files that have as many links as the disk allows', async () => {
      const { git } = at;
      const { link } = promises;
      promises.link = async (from, to) => {
        if ((await stat(from)).nlink > 1)
          throw Object.assign(new Error('too many links'), { code: 'EMLINK' });
        await link(from, to);
      };
      syncBuiltinESMExports();
      try {
        await git.create(70, { defaultBranch: 'main' });
        await commitFiles(git, 70, { a: '1' });
        for (const id of [71, 72]) await git.fork(70, id);
      } finally {
        promises.link = link;
        syncBuiltinESMExports();
      }
      await realGit(git.pathOf(72), ['fsck', '--strict']);
      expect(await git.refs(72)).to.deep.equal(await git.refs(70));
      const objects = (id: number) => describedBelow(join(git.pathOf(id), 'objects'));
      const [base, linked, copied] = await Promise.all([70, 71, 72].map(objects));
      expect(linked).to.deep.equal(base);
      expect(copied).to.deep.equal(base?.map((file) => ({ ...file, nlink: 1 })));
    });

    it('may be of an empty repository', async () => {
      await at.git.create(13, { defaultBranch: 'main' });
      expect(await at.git.fork(13, 14)).to.deep.equal({ refs: new Map() });
      expect(await at.git.head(14)).to.equal('main');
    });

    it('take as many bytes as the base, and no more where it has packed its refs', async () => {
      const { git } = at;
      await git.create(16, { defaultBranch: 'main' });
      await git.fork(16, 17);
      expect(await git.sizeOf(17)).to.equal(await git.sizeOf(16));
      const hash = await commitFiles(git, 16, { a: '1' }, { branch: 'main' });
      for (const ref of ['refs/heads/deep/er/one', 'refs/tags/v1'])
        await realGit(git.pathOf(16), ['update-ref', ref, hash]);
      await git.fork(16, 18);
      expect(await git.sizeOf(18)).to.equal(await git.sizeOf(16));
      await realGit(git.pathOf(16), ['pack-refs', '--all']);
      await realGit(git.pathOf(16), ['update-ref', 'refs/heads/later', hash]);
      await git.fork(16, 19);
      expect(Number(await git.sizeOf(19))).to.be.at.most(Number(await git.sizeOf(16)));
      expect(await git.refs(19)).to.deep.equal(await git.refs(16));
    });

    it('have nothing twice where the base is packed meanwhile', async () => {
      const { git } = at;
      await git.create(60, { defaultBranch: 'main' });
      await commitFiles(git, 60, { a: '1' });
      await pack(git.pathOf(60), 60);
      const packs = (path: string) => {
        const folder = join(path, 'objects/pack');
        return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pack')) : [];
      };
      const staging = join(at.folder, 'staging');
      const isBegun = () => readdirSync(staging).some((name) => packs(join(staging, name)).length > 0);
      const forked = git.fork(60, 61);
      while (!isBegun()) await setImmediate();
      execFileSync('git', ['-C', git.pathOf(60), 'repack', '-a', '-d', '-q']); // the fork waits
      await forked;
      expect(packs(git.pathOf(61))).to.deep.equal(packs(git.pathOf(60)));
    });

    it('leave nothing where they cannot be', async () => {
      expect(await refusal(at.git.fork(1, 13))).to.be.instanceOf(GitRepositoryExists);
      expect(await refusal(at.git.fork(99, 15))).to.be.instanceOf(GitRepositoryMissing);
      await nothingAside();
    });
  });

  describe('of other servers', () => {
    let server: ServedFolder;
    before(async () => {
      server = await serveFolder(at.folder);
      server.intercept((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        if (pathname.startsWith('/moved'))
          response.writeHead(301, { location: String(request.url).replace('/moved', '/01') }).end();
        else if (pathname.startsWith('/slow')) return true;
        else if (pathname.startsWith('/many'))
          Readable.from(manyHeads(main)).pipe(
            response.setHeader('content-type', 'application/x-git-upload-pack-advertisement'),
          );
        else if (pathname.startsWith('/private') && request.headers.authorization === undefined)
          response.writeHead(401, { 'www-authenticate': 'Basic realm="it"' }).end();
        else return false;
        return true;
      });
    });
    after(() => server.stop());

    it('have branches, tags and default branch, and keep no address', async () => {
      const { git } = at;
      const { refs, defaultBranch } = await git.mirrorClone(`${server.url}/01/1.git`, 20);
      expect(Object.fromEntries(refs)).to.deep.equal(await everything());
      expect(defaultBranch).to.equal('trunk');
      expect(await git.head(20)).to.equal('trunk');
      expect(Object.fromEntries(await git.refs(20))).to.deep.equal(await everything());
      expect(await readFile(join(git.pathOf(20), 'config'), 'utf8')).not.to.contain('127.0.0.1');
      expect(await readdir(git.pathOf(20))).not.to.include('FETCH_HEAD');
      await nothingAside();
    });

    it('may be empty', async () => {
      await at.git.create(2, { defaultBranch: 'main' });
      const { refs } = await at.git.mirrorClone(`${server.url}/02/2.git`, 21);
      expect(refs.size).to.equal(0);
      expect(await at.git.exists(21)).to.be.true;
    });

    it('send credentials', async () => {
      const credentials = { username: 'ann', password: 'p w:ä' };
      await at.git.mirrorClone(`${server.url}/01/1.git`, 22, { credentials });
      const sent = `Basic ${Buffer.from('ann:p w:ä').toString('base64')}`;
      expect(server.requests.at(-1)).to.include({ authorization: sent });
    });

    it('refuse what is not there, wants credentials, or redirects', async () => {
      const reason = async (path: string) => {
        const error = await refusal(at.git.mirrorClone(`${server.url}${path}`, 24));
        if (!(error instanceof GitRemoteRefused)) throw error;
        return error.reason;
      };
      expect(await reason('/01/none.git')).to.equal('not-found');
      expect(await reason('/private/1.git')).to.equal('authentication');
      expect(await reason('/moved/1.git')).to.equal('unreachable');
      expect(await at.git.exists(24)).to.be.false;
      await nothingAside();
    });

    it('refuse every address but those of HTTP', async () => {
      const count = server.requests.length;
      const addresses = [
        at.git.pathOf(1),
        `file://${at.git.pathOf(1)}`,
        `${server.url.replace('http', 'HTTPX')}/01/1.git`,
        'ext::sh -c touch% /tmp/x',
        'ssh://localhost/it.git',
        'git://localhost/it.git',
        'me@localhost:it.git',
        '--upload-pack=touch /tmp/x',
        '',
        `${server.url.replace('://', '://ann:secret@')}/01/1.git`,
      ];
      for (const url of addresses)
        expect(await refusal(at.git.mirrorClone(url, 25)), url).to.be.instanceOf(GitRemoteRefused);
      expect(server.requests).to.have.length(count);
    });

    it('end when they have too many refs, or are given up', async () => {
      const clone = (path: string, options: object) =>
        refusal(at.git.mirrorClone(`${server.url}${path}`, 26, options));
      expect(await clone('/01/1.git', { maxRefs: 1 })).to.include({
        name: 'GitLimitExceeded',
        limit: 'bytes',
      });
      const controller = new AbortController();
      const given = clone('/slow/1.git', { signal: controller.signal });
      setTimeout(() => {
        controller.abort(new Error('given up'));
      }, 100);
      expect(await given).to.have.property('message', 'given up');
      expect(await at.git.exists(26)).to.be.false;
      await nothingAside();
    });

    it('hold little of what another server shows beside its HEAD', async () => {
      const concat = Buffer.concat.bind(Buffer);
      let most = 0;
      Buffer.concat = (pieces, length) => {
        const whole = concat(pieces, length);
        most = Math.max(most, whole.length);
        return whole;
      };
      try {
        expect((await at.git.mirrorClone(`${server.url}/many`, 28)).refs.size).to.equal(0);
      } finally {
        Buffer.concat = concat;
      }
      expect(most).to.be.lessThan(200_000); // git prints 1.3 MB
    });

    it('are not taken with broken objects', async () => {
      const path = join(at.elsewhere, 'broken.git');
      await realGit(at.elsewhere, ['init', '--quiet', '--bare', path]);
      const blob = await realHash(path, ['hash-object', '-w', '--stdin'], 'x');
      const dotGit = await realHash(path, ['mktree'], `100644 blob ${blob}\t.git\n`);
      await realGit(path, [
        'update-ref',
        'refs/heads/main',
        await realHash(path, ['commit-tree', dotGit, '-m', 'x']),
      ]);
      const other = await serveFolder(at.elsewhere);
      try {
        const error = await refusal(at.git.mirrorClone(`${other.url}/broken.git`, 27));
        expect(error).to.be.instanceOf(GitRemoteRefused).with.property('reason', 'broken');
      } finally {
        await other.stop();
      }
    });

    it('are fetched again as a staging, which counts only what is new', async () => {
      const { git } = at;
      const url = `${server.url}/01/1.git`;
      await git.mirrorClone(url, 30);
      const before = await git.sizeOf(30);
      const again = await git.fetchMirror(30, url);
      expect(Object.fromEntries(again.refs)).to.deep.equal(await everything());
      expect(await again.staging.bytes()).to.equal(0n);
      await again.staging.discard();

      const next = await commitFiles(git, 1, { c: 'new' }, { branch: 'trunk' });
      const fetched = await git.fetchMirror(30, url);
      expect(fetched.refs.get('refs/heads/trunk')).to.equal(next);
      expect(await git.commit(30, next)).to.equal(undefined);
      const bytes = await fetched.staging.bytes();
      expect(bytes > 0n && bytes < 5000n).to.be.true;
      await fetched.staging.publish();
      expect(await git.commit(30, next)).to.include({ hash: next });
      expect(await git.resolve(30, 'trunk')).to.include({ hash: main });
      expect(await git.sizeOf(30)).to.equal(before + bytes);
      await nothingAside();
    });
  });

  it('ignore what is not an object in the folder of the base', async () => {
    await writeFile(join(at.git.pathOf(1), 'objects/pack/tmp_pack_x'), 'half of something');
    await at.git.fork(1, 40);
    expect(await readdir(join(at.git.pathOf(40), 'objects/pack'))).not.to.include('tmp_pack_x');
  });
});
