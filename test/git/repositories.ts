import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../../src/git/git.js';
import { openGit } from '../../src/git/open-git.js';
import type { Hash } from '../../src/git/port/hash.js';
import type { Signature } from '../../src/git/port/objects.js';
import { output } from '../support/programs.js';

export const somebody: Signature = {
  name: 'Ann Other',
  email: 'ann@example.org',
  at: '2026-01-31T12:00:00+02:00',
};

const REAL = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Real Author',
  GIT_AUTHOR_EMAIL: 'real@example.org',
  GIT_COMMITTER_NAME: 'Real Committer',
  GIT_COMMITTER_EMAIL: 'real@example.org',
  GIT_AUTHOR_DATE: '1700000000 +0100',
  GIT_COMMITTER_DATE: '1700000000 +0100',
};

/** Runs the git program of the machine, as a user would. */
export const realGit = (cwd: string, args: readonly string[], input?: string | Buffer): Promise<string> =>
  output('git', args, { cwd, env: REAL, input });

/** As `realGit`, for what prints a hash. */
export const realHash = async (...given: Parameters<typeof realGit>): Promise<string> =>
  (await realGit(...given)).trim();

/** Repositories in a folder of their own, and a folder beside them for what a user has. */
export interface Repositories {
  readonly git: Git;
  readonly folder: string;
  readonly elsewhere: string;
  remove(): Promise<void>;
}

export async function repositories(): Promise<Repositories> {
  const root = await mkdtemp(join(tmpdir(), 'tallyforge-git-'));
  const folder = join(root, 'repositories');
  return {
    git: await openGit({ folder }),
    folder,
    elsewhere: root,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 10 }), // what was killed may write on for a moment
  };
}

/** Commits files (a path without content goes) on top of others, and lets a branch be there. */
export async function commitFiles(
  git: Git,
  id: number,
  files: Readonly<Record<string, string | null>>,
  { branch = 'main', at = somebody.at, parents }: { branch?: string; at?: string; parents?: Hash[] } = {},
): Promise<Hash> {
  const ref = `refs/heads/${branch}`;
  const before = (await git.refs(id)).get(ref) ?? null;
  const under = parents ?? (before === null ? [] : [before]);
  const base = under[0] === undefined ? undefined : (await git.commit(id, under[0]))?.tree;
  const staging = await git.stage(id);
  const changes = [];
  for (const [path, content] of Object.entries(files)) {
    if (content === null) changes.push({ kind: 'remove', path } as const);
    else {
      const hash = await staging.writeBlob(Buffer.from(content));
      changes.push({ kind: 'put', path, mode: '100644', hash } as const);
    }
  }
  const tree = await staging.writeTree(base, changes);
  const signature = { ...somebody, at };
  const message = `Change ${Object.keys(files).join(', ')}`;
  const { hash } = await staging.writeCommit({
    tree,
    parents: under,
    author: signature,
    committer: signature,
    message,
  });
  await staging.publish();
  const prepared = await git.prepareRefs(id, [{ ref, before, after: hash }]);
  await prepared.commit();
  return hash;
}

/** What an assertion about a refusal looks at. */
export async function refusal(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not refused');
}

export async function read(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Gives a repository so many packs, each of an object that nothing reaches. */
export async function pack(path: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const hash = await realGit(path, ['hash-object', '-w', '--stdin'], `${path} ${index}`);
    await realGit(path, ['pack-objects', '-q', join(path, 'objects', 'pack', 'pack')], hash);
  }
  await realGit(path, ['prune-packed', '-q']);
}

/** Makes the garbage of a repository look as if nothing had reached it for years, so that the next `gc` drops it. */
export async function ageGarbage(path: string): Promise<void> {
  const [times = ''] = (await readdir(join(path, 'objects/pack'))).filter((name) => name.endsWith('.mtimes'));
  const file = join(path, 'objects/pack', times);
  await chmod(file, 0o600);
  await writeFile(file, aged(await readFile(file)));
}

/** A table of what nothing reaches, since when: of long ago. */
function aged(table: Buffer): Buffer {
  const [header, sums] = [12, 40];
  const content = Buffer.concat([
    table.subarray(0, header),
    Buffer.alloc(table.length - header - sums, Buffer.from([0, 0, 0, 1])),
    table.subarray(-sums, -20),
  ]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}
