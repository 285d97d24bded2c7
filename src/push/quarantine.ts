import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { bytesBelow } from '../git/disk/size.js';
import type { Git } from '../git/git.js';
import { GitError, GitLimitExceeded, GitRepositoryMissing } from '../git/port/errors.js';
import { EMPTY_TREE, type Hash } from '../git/port/hash.js';
import { NUL, textsIn } from '../git/program/records.js';
import { unlessGone } from '../files/presence.js';
import { PushRefused } from './refused.js';

const LONGEST_MS = 60_000;
/** The maximum output of a git program; a push with more commits than that is refused. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The same of changed paths, which are held while rules look at them: some 300,000 usual ones. */
const MAX_PATH_BYTES = 16 * 1024 * 1024;
const TOO_MUCH = 'so much at once cannot be judged by the rules of branches: push less';

/** The objects of a push, invisible to others as yet. Its methods take hashes from git itself, so none can be an option. */
export class Quarantine {
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    private readonly git: Git,
    private readonly repositoryId: number,
    private readonly path: string,
    private readonly signal: AbortSignal | undefined,
  ) {
    // The latter is a list, in which the colon of a whole path would end it.
    this.#env = { GIT_OBJECT_DIRECTORY: path, GIT_ALTERNATE_OBJECT_DIRECTORIES: 'objects' };
  }

  /**
   * Opens the quarantine that git named. Rejects if it does not lie within the repository, with all links resolved. `signal`
   * ends whatever looks at it.
   */
  static async at(git: Git, repositoryId: number, path: string, signal?: AbortSignal): Promise<Quarantine> {
    const objects = await unlessGone(realpath(join(git.pathOf(repositoryId), 'objects')));
    if (objects === undefined) throw new GitRepositoryMissing(repositoryId);
    const inside = relative(objects, await realpath(path));
    if (inside === '' || inside.startsWith('..'))
      throw new Error(`a quarantine of repository ${repositoryId} at ${path}`);
    return new Quarantine(git, repositoryId, path, signal);
  }

  /** Returns the size of the files that the push has brought, in bytes. */
  bytes(): Promise<bigint> {
    return bytesBelow(this.path);
  }

  /** Tells whether the object is a commit, to which a branch can point; an annotated tag is not. */
  async isCommit(hash: Hash): Promise<boolean> {
    const { output } = await this.#run(['cat-file', '-t', hash]);
    return output.toString() === 'commit\n';
  }

  /** Tells whether a branch can move from one commit to the other without losing commits. */
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

  /** Returns the paths that differ between two commits, as `History.changedPaths` does; all if `before` is undefined. */
  async changedPaths(before: Hash | undefined, after: Hash): Promise<Iterable<string>> {
    const trees = [before ?? EMPTY_TREE, after];
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...trees];
    return textsIn((await this.#run(args, MAX_PATH_BYTES)).output, NUL);
  }

  /** Finds an unsigned commit among those a branch would gain; a new branch gains the commits that no ref reaches. */
  async unsignedCommit(before: Hash | null, after: Hash): Promise<Hash | undefined> {
    const { output } = await this.#run(['rev-list', '--header', after, '--not', before ?? '--all']);
    const commits = output
      .toString()
      .split('\0')
      .filter((commit) => commit.trim() !== '');
    const unsigned = commits.find((commit) => !/^gpgsig(-sha256)? /m.test(commit.split('\n\n', 1)[0] ?? ''));
    return unsigned?.trimStart().slice(0, 40);
  }

  async #run(
    args: readonly string[],
    maxBytes = MAX_BYTES,
  ): Promise<{ readonly code: number; readonly output: Buffer }> {
    const program = await this.git.start(this.repositoryId, args, {
      env: this.#env,
      timeoutMs: LONGEST_MS,
      pool: 'short',
      ...(this.signal && { signal: this.signal }),
    });
    program.stdin.end();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        program.kill();
        throw new PushRefused(TOO_MUCH);
      }
      chunks.push(chunk);
    }
    const { code, stderr } = await program.ended.catch(refuseBeyondLimits);
    if (code !== 0 && code !== 1)
      throw new GitError(`git ${args[0] ?? ''} ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
    return { code, output: Buffer.concat(chunks) };
  }
}

/** Refuses a push that git would take more time or memory to look at than it may; other errors stay. */
function refuseBeyondLimits(error: unknown): never {
  throw error instanceof GitLimitExceeded ? new PushRefused(TOO_MUCH, { cause: error }) : error;
}
