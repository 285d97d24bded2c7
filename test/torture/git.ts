import { createHash } from 'node:crypto';
import type { Random } from '../support/random.js';
import { gitClient, type GitClient } from '../git-http/client.js';

/** `refused`: the server said no. `unknown`: nobody knows. */
export type PushResult = 'done' | 'refused' | 'unknown';

export interface Pushed {
  readonly result: PushResult;
  /** What git printed. */
  readonly told: string;
}

/** A request on a connection that was kept, and is cut then, git would repeat by itself: the answer would be of the second. */
const SAID_ONCE = ['-c', 'http.extraHeader=Connection: close'];

const ZERO = '0'.repeat(40);

/** The real git program with one store of commits, from which it pushes to any repository. */
export class GitHands {
  #commits = 0;

  static async open(name: string): Promise<GitHands> {
    const client = await gitClient();
    await client.git(['init', '--quiet', '--bare', 'store']);
    return new GitHands(client, name);
  }

  private constructor(
    private readonly client: GitClient,
    private readonly name: string,
  ) {}

  /** A new commit with one file of noise, after `parent` or without one. */
  async commit(random: Random, bytes: number, parent?: string): Promise<string> {
    const noise = Array.from({ length: bytes }, () => random.below(36).toString(36)).join('');
    const message = `${this.name} ${(this.#commits += 1)}`;
    const input = [
      'blob\nmark :1',
      `data ${noise.length}\n${noise}`,
      'commit refs/heads/torture\nmark :2',
      'committer Ada <ada@example.org> 1700000000 +0000',
      `data ${message.length}\n${message}`,
      ...(parent === undefined ? ['deleteall'] : [`from ${parent}`]),
      `M 100644 :1 noise-${this.#commits}`,
      '',
      'get-mark :2',
      'done',
      '',
    ].join('\n');
    const options = ['fast-import', '--quiet', '--force', '--done'];
    // Without a parent the commit would follow the branch of the one before.
    if (parent === undefined)
      await this.client.run(['update-ref', '-d', 'refs/heads/torture'], { in: 'store' });
    return this.client.git(options, { in: 'store', input });
  }

  /** Moves a branch of the repository at `url` to a commit, or deletes it. */
  async push(url: string, branch: string, commit: string | undefined, patienceMs: number): Promise<Pushed> {
    const refspec = commit === undefined ? `:refs/heads/${branch}` : `+${commit}:refs/heads/${branch}`;
    const { code, stderr } = await this.client.run([...SAID_ONCE, 'push', '--quiet', url, refspec], {
      in: 'store',
      signal: AbortSignal.timeout(patienceMs),
    });
    const isGone = commit === undefined && stderr.includes('remote ref does not exist');
    // A full disk is a fault, and no word on the push.
    const hasFailed = /the push failed on the server|unpacker error/.test(stderr);
    const isRefused = stderr.includes('[remote rejected]') && !hasFailed;
    const result = code === 0 || isGone ? 'done' : isRefused ? 'refused' : 'unknown';
    return { result, told: stderr.slice(0, 500) };
  }

  /** The branches of the repository at `url`, as git is told them; undefined where it is told nothing. */
  async branches(url: string): Promise<Map<string, string> | undefined> {
    const { code, stdout } = await this.client.run(['ls-remote', '--heads', url], { in: 'store' });
    if (code !== 0) return undefined;
    return new Map(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [commit = ZERO, ref = ''] = line.split('\t');
          return [ref.replace(/^refs\/heads\//, ''), commit];
        }),
    );
  }

  /** Whether a commit was made here, so that another can follow it. */
  async has(commit: string): Promise<boolean> {
    return (await this.client.run(['cat-file', '-e', commit], { in: 'store' })).code === 0;
  }

  close(): Promise<void> {
    return this.client.remove();
  }
}

/** The id that git gives to a file of this content. */
export const blobId = (content: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
