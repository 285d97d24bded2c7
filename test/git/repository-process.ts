/** A process that makes a repository in the folder of its first argument, and tells by JSON what is there. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openGit } from '../../src/git/open-git.js';
import { commitFiles, realGit } from './repositories.js';

const [, , folder = ''] = process.argv;
const git = await openGit({ folder: join(folder, 'repositories') });
await git.create(1, { defaultBranch: 'main' });
const commit = await commitFiles(git, 1, { 'a.txt': 'a\r\nb\n', 'b.txt': 'b'.repeat(10_000), ignored: '' });
const path = git.pathOf(1);
const copy = join(folder, 'copy');
const files = await readdir(path, { recursive: true });
await realGit(folder, ['clone', '--quiet', path, copy]);
process.stdout.write(
  JSON.stringify({
    commit,
    found: (await git.commit(1, commit))?.message,
    refs: [...(await git.refs(1))],
    files: files.filter((name) => !name.startsWith('objects/')).sort(),
    bytes: await realGit(path, ['count-objects', '-v']),
    tree: await realGit(copy, ['ls-tree', '-r', 'HEAD']),
  }),
);
