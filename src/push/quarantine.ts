import { isAbsolute, join, relative } from 'node:path';
import { bytesBelow } from '../git/disk/size.js';
import type { Git } from '../git/git.js';
import { GitError } from '../git/port/errors.js';
import { EMPTY_TREE, type Hash } from '../git/port/hash.js';

const LONGEST_MS = 60_000;
/** More changed paths or commits than these are not looked through. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The objects of a push that nobody else sees yet. Hashes are git's own: none is taken for an option. */
export class Quarantine {
  readonly #env: Readonly<Record<string, string>>;

  /** Throws where `path` is not of the repository. */
  constructor(
    private readonly git: Git,
    private readonly repositoryId: number,
    private readonly path: string,
  ) {
    const objects = join(git.pathOf(repositoryId), 'objects');
    const inside = relative(objects, path);
    if (!isAbsolute(path) || inside === '' || inside.startsWith('..'))
      throw new Error(`a quarantine of repository ${repositoryId} at ${path}`);
    this.#env = { GIT_OBJECT_DIRECTORY: path, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  }

  bytes(): Promise<bigint> {
    return bytesBelow(this.path);
  }

  /** Whether a branch could point to it; an annotated tag of a commit is none. */
  async isCommit(hash: Hash): Promise<boolean> {
    const { output } = await this.#run(['cat-file', '-t', hash]);
    return output === 'commit\n';
  }

  async isAncestor(ancestor: Hash, descendant: Hash): Promise<boolean> {
    const { code } = await this.#run([
      'merge-base',
      '--is-ancestor',
      '--end-of-options',
      ancestor,
      descendant,
    ]);
    return code === 0;
  }

  /** The paths that differ between two commits; all of them where there is none before. */
  async changedPaths(before: Hash | null, after: Hash): Promise<string[]> {
    const trees = [before ?? EMPTY_TREE, after];
    const { output } = await this.#run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...trees]);
    return output.split('\0').filter((path) => path !== '');
  }

  /** A commit without a signature that a branch would gain; a new branch gains what no other ref has. */
  async unsignedCommit(before: Hash | null, after: Hash): Promise<Hash | undefined> {
    const { output } = await this.#run(['rev-list', '--header', after, '--not', before ?? '--all']);
    const commits = output.split('\0').filter((commit) => commit.trim() !== '');
    const unsigned = commits.find((commit) => !/^gpgsig(-sha256)? /m.test(commit.split('\n\n', 1)[0] ?? ''));
    return unsigned?.trimStart().slice(0, 40);
  }

  async #run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const program = await this.git.start(this.repositoryId, args, {
      env: this.#env,
      timeoutMs: LONGEST_MS,
      pool: 'short',
    });
    program.stdin.end();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) program.kill();
      else chunks.push(chunk);
    }
    const { code, stderr } = await program.ended;
    if (code !== 0 && code !== 1) throw new GitError(`git ${args[0] ?? ''}: ${stderr || 'it said too much'}`);
    return { code, output: Buffer.concat(chunks).toString('utf8') };
  }
}
