import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBlobs } from '../../src/git/objects/blob.js';
import { parseHeaders } from '../../src/git/objects/headers.js';
import { GitLimitExceeded } from '../../src/git/port/errors.js';
import { GitProgram } from '../../src/git/program/git-program.js';
import { descendantsOf } from '../git-http/processes.js';
import { until } from '../support/process.js';
import { rejection } from '../support/rejection.js';
import {
  commitFiles,
  read,
  realGit,
  realHash,
  repositories,
  somebody,
  type Repositories,
} from './repositories.js';

const ABSENT = '1'.repeat(40);

describe('git: objects', () => {
  let at: Repositories;
  let path: string;
  let commit: string;
  const revision = (text: string) => realHash(path, ['rev-parse', text]);
  const tag = async (hash: string) => (await at.git.tagObjects(1, [hash])).get(hash);

  before(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    path = at.git.pathOf(1);
    await realGit(
      path,
      ['fast-import', '--quiet'],
      [
        'commit refs/heads/main',
        'author Ünal <unal@example.org> 1700000000 -0330',
        'committer Real Committer <real@example.org> 1700000001 +0000',
        'data <<END',
        'A subject',
        '',
        'And a body.',
        'END',
        'M 100644 inline README.md',
        'data 6',
        'hello\n',
        'M 100755 inline bin/run',
        'data 1',
        'x',
        'M 120000 inline link',
        'data 9',
        'README.md',
        'M 160000 1234567890123456789012345678901234567890 module',
        'M 100644 inline "nä\\nme"',
        'data 0',
        '',
        'M 100644 inline --help',
        'data 1',
        'h',
        'done',
        '',
      ].join('\n'),
    );
    commit = await revision('main');
  });
  after(() => at.remove());

  it('refuses commits that are too large to be read', async () => {
    const text = `tree ${await revision('main^{tree}')}\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n`;
    const huge = await realHash(
      path,
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      text + 'x'.repeat(5_000_000),
    );
    const large = await realHash(
      path,
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      text + 'x'.repeat(4_000_000),
    );
    expect(await rejection(at.git.commit(1, huge))).to.be.instanceOf(GitLimitExceeded);
    expect(await at.git.commits(1, Array(8).fill(large))).to.have.length(8);
    expect(await rejection(at.git.commits(1, Array(9).fill(large)))).to.be.instanceOf(GitLimitExceeded);
    const longHeader = await realHash(
      path,
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      text.replace('\n\n', `\nnote ${'x'.repeat(4_000_000)}\n\nshort`),
    );
    expect(await at.git.commits(1, Array(8).fill(longHeader))).to.have.length(8);
    expect(await rejection(at.git.commits(1, Array(9).fill(longHeader)))).to.be.instanceOf(GitLimitExceeded);
  });

  it('loads no commit that is too large, and nothing else that is taken for a commit', async () => {
    const bytes = 200_000_000;
    const text = `tree ${await revision('main^{tree}')}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n`;
    const script = `{ printf %s "$1"; head -c ${bytes} /dev/zero | tr '\\0' x; } | git hash-object -t "$0" -w --stdin`;
    const written = async (type: string) =>
      (await promisify(execFile)('sh', ['-c', script, type, text], { cwd: path })).stdout.trim();
    const [commit, blob] = [await written('commit'), await written('blob')];
    const before = process.resourceUsage().maxRSS;
    const refused = await Promise.all([1, 2, 3, 4].map(() => rejection(at.git.commit(1, commit))));
    for (const refusal of refused) expect(refusal).to.be.instanceOf(GitLimitExceeded);
    expect(await at.git.commit(1, blob)).to.equal(undefined);
    expect((process.resourceUsage().maxRSS - before) * 1_024).to.be.below(bytes / 2);
  });

  it('tells what a commit says', async () => {
    expect(await at.git.commit(1, commit)).to.deep.equal({
      hash: commit,
      tree: await revision('main^{tree}'),
      parents: [],
      author: { name: 'Ünal', email: 'unal@example.org', at: '2023-11-14T18:43:20-03:30' },
      committer: { name: 'Real Committer', email: 'real@example.org', at: '2023-11-14T22:13:21Z' },
      message: 'A subject\n\nAnd a body.\n',
    });
    expect(await at.git.commits(1, [ABSENT, commit])).to.have.length(1);
  });

  it('tells the signature of a commit and what it signs', async () => {
    const text = await realGit(path, ['cat-file', 'commit', commit]);
    const signed = text.replace(
      '\n\n',
      '\ngpgsig -----BEGIN SSH SIGNATURE-----\n abc\n -----END SSH SIGNATURE-----\n\n',
    );
    const hash = await realHash(path, ['hash-object', '-t', 'commit', '-w', '--stdin'], signed);
    expect((await at.git.commit(1, hash))?.signed).to.deep.equal({
      signature: '-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----',
      payload: text,
    });
  });

  it('reads commits with signatures that are hardly any', async () => {
    const text = `tree ${await revision('main^{tree}')}\nauthor <> 99999999999999 +9999\ncommitter nobody\n\nx`;
    const hash = await realHash(path, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], text);
    expect(await at.git.commit(1, hash)).to.deep.include({
      author: { name: '', email: '', at: '1970-01-01T00:00:00Z' },
      committer: { name: 'nobody', email: '', at: '1970-01-01T00:00:00Z' },
    });
  });

  it('tells names and messages in letters, in whatever encoding a commit says that it is', async () => {
    const commitOf = async (encoding: string, bytes: string, more: readonly string[] = []) => {
      const text = [
        `tree ${await revision('main^{tree}')}`,
        `author ${bytes} <a@example.org> 1700000000 +0000`,
        'committer C <c@example.org> 1700000000 +0000',
        `encoding ${encoding}`,
        ...more,
        '',
        bytes,
      ].join('\n');
      const content = Buffer.from(text, 'latin1');
      const hash = await realHash(path, ['hash-object', '-t', 'commit', '-w', '--stdin'], content);
      return { hash, text, said: await at.git.commit(1, hash) };
    };
    const letters = async (encoding: string, bytes: string) => {
      const { said } = await commitOf(encoding, bytes);
      expect(said?.author.name).to.equal(said?.message);
      return said?.message;
    };
    expect(await letters('ISO-8859-1', 'Gr\xfc\xdfe')).to.equal('Grüße');
    expect(await letters('SJIS', '\x93\xfa\x96\x7b\x81\xa0')).to.equal('日本□');
    expect(await letters('ISO-2022-JP', '\x1b$BF|K\\\x1b(B')).to.equal('日本');
    // Its bytes are letters in UTF-8 too: others.
    expect(await letters('GBK', '\xc4\xa3\xca\xbd')).to.equal('模式');
    // No commit can be in UTF-16, whatever it says: nobody could read its headers.
    for (const encoding of ['UTF-8', 'UTF-16', 'none'])
      expect(await letters(encoding, 'x\xff')).to.equal('x\ufffd');
    const { text, hash } = await commitOf('ISO-8859-1', '\xfc');
    const { said } = await commitOf('ISO-8859-1', '\xfc', ['gpgsig abc']);
    expect(said?.message).to.equal('ü');
    expect(Buffer.from(said?.signed?.bytes ?? '', 'base64').toString('latin1')).to.equal(text);
    const many = await at.git.commits(1, [hash, commit, said?.hash ?? '', ABSENT, hash]);
    expect(many.map(({ message }) => message)).to.deep.equal(['ü', 'A subject\n\nAnd a body.\n', 'ü', 'ü']);
  });

  it('reads headers among any number of others, which may go on over lines', () => {
    const others = '=\nparentless\n'.repeat(200_000);
    const text = `parent a\n${others}gpgsig one\n two\n  three\nparent b\ngpgsig x\nauthor c`;
    const headers = parseHeaders(text);
    expect(headers.first('gpgsig')).to.equal('one\ntwo\n three');
    expect(headers.all('parent')).to.deep.equal(['a', 'b']);
    expect([headers.first('author'), headers.first('two'), headers.first('less')]).to.deep.equal([
      'c',
      undefined,
      undefined,
    ]);
    expect(headers.without('gpgsig') === `parent a\n${others}parent b\nauthor c\n`).to.equal(true);
    expect(parseHeaders(`${text}\n`).without('parent').endsWith('\nauthor c\n')).to.equal(true);
  });

  it('tells what an annotated tag says', async () => {
    await realGit(path, ['tag', '-a', '-m', 'Version one', 'v1', commit]);
    expect(await tag(await revision('v1'))).to.deep.equal({
      hash: await revision('v1'),
      name: 'v1',
      message: 'Version one\n',
      tagger: { name: 'Real Committer', email: 'real@example.org', at: '2023-11-14T23:13:20+01:00' },
      object: { type: 'commit', hash: commit },
    });
    const text = `${await realGit(path, ['cat-file', 'tag', 'v1'])}-----BEGIN PGP SIGNATURE-----\nabc\n`;
    const hash = await realHash(path, ['hash-object', '-t', 'tag', '-w', '--stdin'], text);
    expect(await tag(hash)).to.deep.include({
      message: 'Version one\n',
      signed: {
        signature: '-----BEGIN PGP SIGNATURE-----\nabc\n',
        payload: await realGit(path, ['cat-file', 'tag', 'v1']),
      },
    });
  });

  it('takes for the signature of a tag what git does, the last one', async () => {
    const quoted = [
      'The last one said',
      '-----BEGIN SSH SIGNATURE-----',
      'old',
      '-----END SSH SIGNATURE-----',
      '-----BEGIN SSH MESSAGE-----',
      '',
    ].join('\n');
    const signature = '-----BEGIN SSH SIGNATURE-----\nnew\n-----END SSH SIGNATURE-----\n';
    const text = `object ${commit}\ntype commit\ntag v\ntagger T <t@example.org> 1700000000 +0000\n\n${quoted}`;
    const hash = await realHash(path, ['hash-object', '-t', 'tag', '-w', '--stdin'], text + signature);
    expect(await tag(hash)).to.deep.include({ message: quoted, signed: { signature, payload: text } });
    await realGit(path, ['update-ref', 'refs/tags/quoting', hash]);
    const format = '--format=%(contents:signature)';
    expect(await realGit(path, ['for-each-ref', format, 'refs/tags/quoting'])).to.equal(`${signature}\n`);
    await realGit(path, ['update-ref', '-d', 'refs/tags/quoting']);
  });

  it('tells what a tag says in letters, in whatever encoding it says that it is', async () => {
    const headers = `object ${commit}\ntype commit\ntag v\ntagger Gr\xfc\xdfe <a@example.org> 1700000000 +0000`;
    const text = `${headers}\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n`;
    const content = Buffer.from(`${text}-----BEGIN PGP SIGNATURE-----\nabc\n`, 'latin1');
    const told = await tag(await realHash(path, ['hash-object', '-t', 'tag', '-w', '--stdin'], content));
    expect([told?.tagger?.name, told?.message]).to.deep.equal(['Grüße', 'Grüße\n']);
    expect(Buffer.from(told?.signed?.bytes ?? '', 'base64').toString('latin1')).to.equal(text);
  });

  it('tells what many annotated tags say, and what they lead to', async () => {
    await realGit(path, ['tag', '-a', '-m', 'Of a tag', 'v2', 'v1']);
    await realGit(path, ['tag', '-a', '-m', 'Of two', 'v3', 'v2']);
    await realGit(path, ['tag', '-a', '-m', 'Of a blob: ä', 'v4', 'main:README.md']);
    const hashes = await Promise.all(['v3', 'v1', 'v4', 'v2'].map(revision));
    const found = await at.git.tagObjects(1, [
      ABSENT,
      commit,
      'HEAD',
      ...hashes,
      await revision('main:README.md'),
    ]);
    expect([...found.keys()]).to.deep.equal(hashes);
    for (const [hash, told] of found) expect(told).to.deep.equal(await tag(hash));
    const [v3, v1, , v2] = hashes;
    expect(await at.git.peel(1, [...found.values()])).to.deep.equal(
      new Map([v3, v1, v2].map((hash) => [hash, commit])),
    );
    expect(await at.git.tagObjects(1, [])).to.have.property('size', 0);
  });

  it('refuses tags whose texts are too long together', async () => {
    const text = `${await realGit(path, ['cat-file', 'tag', 'v1'])}${'x'.repeat(12_000_000)}`;
    const write = (end: string) => realHash(path, ['hash-object', '-t', 'tag', '-w', '--stdin'], text + end);
    const hashes = await Promise.all(['a', 'b', 'c'].map(write));
    expect(await at.git.tagObjects(1, hashes.slice(1))).to.have.property('size', 2);
    expect(await rejection(at.git.tagObjects(1, hashes))).to.be.instanceOf(GitLimitExceeded);
  });

  it('tells the types of objects', async () => {
    const [tree, blob] = [await revision('main^{tree}'), await revision('main:README.md')];
    expect(await at.git.types(1, [commit, ABSENT, tree, blob, 'HEAD', '--help'])).to.deep.equal(
      new Map([
        [commit, 'commit'],
        [tree, 'tree'],
        [blob, 'blob'],
      ]),
    );
  });

  it('lists a tree by pages, with sizes', async () => {
    const names = ['--help', 'README.md', 'bin', 'link', 'module', 'nä\nme'];
    const tree = await at.git.tree(1, commit);
    expect(tree?.hash).to.equal(await revision('main^{tree}'));
    expect(tree?.entries.map((entry) => entry.path)).to.deep.equal(names);
    const page = await at.git.tree(1, await revision('main^{tree}'), { offset: 1, limit: 2 });
    expect(page).to.deep.equal({
      hash: await revision('main^{tree}'),
      total: 6,
      entries: [
        { path: 'README.md', mode: '100644', type: 'blob', hash: await revision('main:README.md'), size: 6 },
        { path: 'bin', mode: '040000', type: 'tree', hash: await revision('main:bin'), size: null },
      ],
    });
    const all = await at.git.tree(1, commit, { recursive: true });
    expect(all?.entries.map((entry) => entry.path)).to.deep.equal([
      ...names.slice(0, 3),
      'bin/run',
      ...names.slice(3),
    ]);
  });

  it('tells the files of a commit that are wanted, with their sizes', async () => {
    const files = (hash: string, wanted: (path: string) => boolean, limit = 1_000) =>
      at.git.files(1, hash, { wanted, limit });
    const all = [
      { path: '--help', size: Number(await realGit(path, ['cat-file', '-s', 'main:--help'])) },
      { path: 'README.md', size: 6 },
      { path: 'bin/run', size: Number(await realGit(path, ['cat-file', '-s', 'main:bin/run'])) },
      { path: 'nä\nme', size: Number(await realGit(path, ['cat-file', '-s', 'main:nä\nme'])) },
    ];
    expect(await files(commit, () => true)).to.deep.equal(all);
    expect(await files(commit, (file) => file === 'README.md')).to.deep.equal([all[1]]);
    expect(await files(commit, () => false)).to.deep.equal([]);
    for (const hash of [ABSENT, 'HEAD']) expect(await files(hash, () => true)).to.equal(undefined);

    const readme = await revision('main:README.md');
    const many = Array.from({ length: 150 }, (_, index) => `100644 blob ${readme}\t${index}`);
    many.push(
      `120000 blob ${await revision('main:link')}\tlink`,
      `040000 tree ${await revision('main:bin')}\tfolder`,
    );
    const tree = await realHash(path, ['mktree'], `${many.join('\n')}\n`);
    const large = await realHash(path, ['commit-tree', tree, '-m', 'large']);
    expect(await files(large, (file) => file !== '7')).to.have.length(150);
    expect(await files(large, (file) => file.startsWith('folder'))).to.deep.equal([
      { path: 'folder/run', size: all[2]?.size },
    ]);
    expect(await files(large, () => true, 10)).to.have.length(10);
  });

  it('starts no program to tell that no file is wanted of what was written here', async () => {
    const written = await commitFiles(
      at.git,
      1,
      { a: 'x', 'folder/b': 'y' },
      { branch: 'written', parents: [] },
    );
    const { PATH } = process.env;
    process.env.PATH = '/nowhere';
    try {
      expect(await at.git.files(1, written, { wanted: () => false, limit: 10 })).to.deep.equal([]);
    } finally {
      process.env.PATH = PATH;
    }
    expect(await at.git.files(1, written, { wanted: () => true, limit: 10 })).to.deep.equal([
      { path: 'a', size: 1 },
      { path: 'folder/b', size: 1 },
    ]);
  });

  it('finds what lies at a path', async () => {
    const entry = (treePath: string) => at.git.entry(1, commit, treePath);
    expect(await entry('bin/run')).to.include({ path: 'bin/run', mode: '100755', type: 'blob', size: 1 });
    expect(await entry('link')).to.include({ mode: '120000', type: 'blob' });
    expect(await entry('module')).to.include({ mode: '160000', type: 'commit', size: null });
    expect(await entry('bin')).to.include({ mode: '040000', type: 'tree', size: null });
    expect(await entry('--help')).to.include({ path: '--help', type: 'blob' });
    expect(await entry('')).to.include({ hash: await revision('main^{tree}'), type: 'tree' });
    for (const absent of [
      'none',
      'bin/',
      '/bin',
      'bin//run',
      'README.md/x',
      '../config',
      '*',
      'b?n',
      ':/',
      '.git',
      'a\0b',
    ])
      expect(await entry(absent), absent).to.equal(undefined);
    expect(await at.git.entry(1, ABSENT, 'bin')).to.equal(undefined);
  });

  it('finds what lies at many paths at once', async () => {
    const { git } = at;
    const paths = [
      'bin',
      'bin/run',
      '--help',
      'link',
      'module',
      'none',
      'bin/run/x',
      '',
      '../config',
      '*',
      'nä\nme',
    ];
    const found = await git.entries(1, commit, paths);
    expect([...found.keys()].sort()).to.deep.equal(['--help', 'bin', 'bin/run', 'link', 'module', 'nä\nme']);
    for (const [path, entry] of found) expect(await git.entry(1, commit, path)).to.deep.equal(entry);
    const many = Array.from({ length: 3000 }, (_, index) => `none/${index}/${'x'.repeat(100)}`);
    expect([...(await git.entries(1, commit, [...many, 'bin'])).keys()]).to.deep.equal(['bin']);
    expect((await git.entries(1, ABSENT, ['bin'])).size).to.equal(0);
    expect((await git.entries(1, 'main', ['bin'])).size).to.equal(0);
  });

  it('reads what lies where some file systems could have no file', async () => {
    const names = ['back\\slash', 'git~2', 'x'.repeat(300), '\uff0egit'];
    const blob = await revision('main:README.md');
    const listing = names.map((name) => `100644 blob ${blob}\t${name}\0`).join('');
    const tree = await realHash(path, ['mktree', '-z'], listing);
    const made = await realGit(path, [
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit-tree',
      '-m',
      'odd',
      tree,
    ]);
    const odd = made.trim();
    for (const name of names) {
      expect(await at.git.entry(1, odd, name)).to.include({ path: name, hash: blob });
      expect((await at.git.history(1, { from: odd, path: name, offset: 0, limit: 1 })).total).to.equal(1);
    }
    expect(await at.git.lastCommits(1, odd, names)).to.deep.equal(new Map(names.map((name) => [name, odd])));
  });

  it('gives a blob that is not too large, and streams any', async () => {
    const hash = await revision('main:README.md');
    expect(await at.git.blob(1, hash, 6)).to.deep.equal({ hash, size: 6, content: Buffer.from('hello\n') });
    expect(await at.git.blob(1, hash, 5)).to.deep.equal({ hash, size: 6, content: undefined });
    const streamed = await at.git.blobStream(1, hash);
    expect(streamed?.size).to.equal(6);
    expect(String(streamed && (await read(streamed.stream)))).to.equal('hello\n');
  });

  it('gives many blobs at once, without those that are too large', async () => {
    const [readme, link] = [await revision('main:README.md'), await revision('main:link')];
    const blobs = await at.git.blobs(1, [readme, link, ABSENT, await revision('main'), readme], 6);
    expect([...blobs.keys()]).to.have.members([readme, link]);
    expect(blobs.get(readme)).to.deep.equal({ hash: readme, size: 6, content: Buffer.from('hello\n') });
    expect(await at.git.blobs(1, [readme], 5)).to.deep.equal(
      new Map([[readme, { hash: readme, size: 6, content: undefined }]]),
    );
    expect(await at.git.blobs(1, [], 5)).to.deep.equal(new Map());
  });

  it('gives no content of one blob for that of another which is removed meanwhile', async () => {
    const write = (text: string) => realHash(path, ['hash-object', '-w', '--stdin'], text);
    const [gone, stays] = [await write('goes'), await write('remains')];
    const program = new GitProgram({ home: join(at.folder, 'home') });
    const run: GitProgram['run'] = async (cwd, args, options) => {
      if (args.includes('--batch')) await rm(join(path, 'objects', gone.slice(0, 2), gone.slice(2)));
      return program.run(cwd, args, options);
    };
    const blobs = await readBlobs({ run } as GitProgram, path, [gone, stays], 100);
    expect(blobs).to.deep.equal(
      new Map([[stays, { hash: stays, size: 7, content: Buffer.from('remains') }]]),
    );
  });

  it('streams a blob while git clients hold all their places', async () => {
    const held = await Promise.all(
      Array.from({ length: 128 }, () => at.git.start(1, ['cat-file', '--batch'])),
    );
    const hash = await revision('main:README.md');
    const streamed = await at.git.blobStream(1, hash);
    expect(streamed && (await read(streamed.stream))).to.have.length(streamed?.size ?? 0);
    for (const { stdin } of held) stdin.end();
    await Promise.all(held.map(({ ended }) => ended));
  });

  it('ends the program of a stream that nobody reads on', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024, 'some text ');
    const staging = await at.git.stage(1);
    const hash = await staging.writeBlob(content);
    await staging.publish();
    const streamed = await at.git.blobStream(1, hash);
    const programs = () => descendantsOf(process.pid, hash);
    expect(await programs()).to.have.length(1);
    streamed?.stream.destroy();
    await until(async () => (await programs()).length === 0);
  });

  it('gives nothing for what is missing or of another type', async () => {
    const blob = await revision('main:README.md');
    for (const hash of [ABSENT, blob, 'HEAD', '--help', '', commit.slice(0, 10)]) {
      expect(await at.git.commit(1, hash)).to.equal(undefined);
      expect(await tag(hash)).to.equal(undefined);
      expect(await at.git.tree(1, hash)).to.equal(undefined);
    }
    for (const hash of [ABSENT, commit, 'HEAD', '--help', '']) {
      expect(await at.git.blob(1, hash, 100)).to.equal(undefined);
      expect(await at.git.blobStream(1, hash)).to.equal(undefined);
    }
  });

  it('shows what was pushed since it last looked', async () => {
    await at.git.commit(1, commit);
    const tree = await revision('main^{tree}');
    const next = await realHash(path, ['commit-tree', tree, '-p', commit, '-m', 'Next']);
    await realGit(path, ['repack', '-a', '-d', '--quiet']);
    expect(await at.git.commit(1, next)).to.include({ message: 'Next\n' });
  });

  it('lists a tree of a hundred thousand entries without holding more than a page', async () => {
    const blob = await revision('main:README.md');
    const lines = Array.from(
      { length: 100_000 },
      (_, index) => `100644 blob ${blob}\tfile-${String(index).padStart(6, '0')}`,
    );
    const tree = await realHash(path, ['mktree'], `${lines.join('\n')}\n`);
    const page = await at.git.tree(1, tree, { offset: 99_990, limit: 30 });
    expect(page?.total).to.equal(100_000);
    expect(page?.entries.at(-1)).to.include({ path: 'file-099999', size: 6 });
    const staging = await at.git.stage(1);
    const edited = await staging.writeTree(tree, [{ kind: 'put', path: 'a/b', mode: '100644', hash: blob }]);
    const signature = somebody;
    const { hash } = await staging.writeCommit({
      tree: edited,
      parents: [],
      author: signature,
      committer: signature,
      message: 'x',
    });
    await staging.publish();
    expect(await at.git.entry(1, hash, 'file-050000')).to.include({ size: 6 });
  });

  it('refuses a tree of which the paths alone would fill the memory', async () => {
    const blob = await realHash(path, ['hash-object', '-w', '--stdin'], 'x');
    const treeOf = (lines: readonly string[]) => realHash(path, ['mktree'], `${lines.join('\n')}\n`);
    let tree = await treeOf(Array.from({ length: 700 }, (_, index) => `100644 blob ${blob}\t${index}`));
    tree = await treeOf([`040000 tree ${tree}\t${'p'.repeat(100_000)}`]);
    const long = await realHash(path, ['commit-tree', tree, '-m', 'long']);
    expect((await at.git.tree(1, long, { recursive: true, limit: 10 }))?.total).to.equal(701);
    for (const options of [{}, { limit: 10, maxBytes: 999_999 }])
      expect(await rejection(at.git.tree(1, long, { recursive: true, ...options }))).to.be.instanceOf(
        GitLimitExceeded,
      );
  });
});
