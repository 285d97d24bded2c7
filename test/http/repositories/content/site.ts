import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitWorld, TestRepository } from '../../../git-http/world.js';

export interface Site {
  readonly repository: TestRepository;
  /** Its path below the API. */
  readonly path: string;
  /** Of the commit on `main`, `feature/one` and `v1`, of that before, and of what `v1` is. */
  readonly head: string;
  readonly first: string;
  readonly tag: string;
  /** Runs git in the working copy that it was pushed from. */
  git(...args: string[]): Promise<string>;
  /** Adds a commit to the working copy and pushes it. */
  push(files: Readonly<Record<string, string | Buffer>>, message?: string): Promise<string>;
}

export const EDITORCONFIG = '[*]\nindent_size = 2\n[*.py]\nindent_size = 4\n[src/**]\ncharset = utf-8\n';
export const SUBMODULE = '1111111111111111111111111111111111111111';
export const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64');

/** A repository of `owner` with two commits: files in folders, a link, a submodule, branches and tags. */
export async function pushedSite(world: GitWorld, name: string, isPrivate = false): Promise<Site> {
  const repository = await world.create(name, { isPrivate });
  const { client } = world;
  const git = (...args: string[]) => client.git(args, { in: name });
  await client.working(name, { 'README.md': '# Site\n' });
  const first = (await git('rev-parse', 'HEAD')).trim();
  for (const folder of ['src/deep', 'vendor/lib'])
    await mkdir(join(client.folder, name, folder), { recursive: true });
  await symlink('README.md', join(client.folder, name, 'link'));
  await git('update-index', '--add', '--cacheinfo', `160000,${SUBMODULE},vendor/lib`);
  const modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://example.org/lib.git\n';
  const head = await client.commit(
    name,
    {
      '.editorconfig': EDITORCONFIG,
      '.gitmodules': modules,
      'src/index.ts': 'export {};\n',
      'src/deep/a b.txt': 'deep\n',
      'pixel.png': PIXEL,
    },
    'second',
  );
  await git('branch', 'feature/one');
  await git('tag', '-a', 'v1', '-m', 'the first version');
  await git('tag', 'light', first);
  await git('remote', 'add', 'origin', world.url(repository, 'owner'));
  await git('push', '--quiet', 'origin', 'main', 'feature/one', '--tags');
  return {
    repository,
    path: `/repos/owner/${name}`,
    head,
    first,
    tag: (await git('rev-parse', 'v1')).trim(),
    git,
    async push(files, message = 'more') {
      const hash = await client.commit(name, files, message);
      await git('push', '--quiet', 'origin', 'main');
      return hash;
    },
  };
}
