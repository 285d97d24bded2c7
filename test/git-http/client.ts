import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output, run, type Ran, type ToRun } from '../support/programs.js';

/** The real git program, as its users run it, in a folder of its own. */
export interface GitClient {
  readonly folder: string;
  /** Runs git in `folder`, or in a working copy below it; whatever comes of it. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** As `run`; throws where git fails. */
  git(args: readonly string[], options?: RunOptions): Promise<string>;
  /** A working copy `name` with a first commit of `files` on `main`. */
  working(name: string, files?: Readonly<Record<string, string | Buffer>>): Promise<void>;
  /** Adds a commit to a working copy, and answers with its hash. */
  commit(name: string, files: Readonly<Record<string, string | Buffer>>, message?: string): Promise<string>;
  /** Feeds `git update-ref --stdin` in a working copy. */
  update(name: string, lines: string): Promise<void>;
  /** Writes an object as it is, however broken, and answers with its hash. */
  object(name: string, type: string, content: Buffer): Promise<string>;
  remove(): Promise<void>;
}

export interface RunOptions {
  /** A folder below that of the client. */
  readonly in?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly input?: string | Buffer;
}

const IDENTITY = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.org',
  '-c',
  'init.defaultBranch=main',
  '-c',
  'core.fsync=none',
];

export async function gitClient(): Promise<GitClient> {
  const folder = await mkdtemp(join(tmpdir(), 'tallyforge-git-client-'));
  const here = ({ in: below = '.', env, ...options }: RunOptions = {}): ToRun => ({
    cwd: join(folder, below),
    env: { HOME: folder, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C', ...env },
    ...options,
  });
  const git: GitClient['git'] = async (args, options) =>
    (await output('git', [...IDENTITY, ...args], here(options))).trim();
  const commit: GitClient['commit'] = async (name, files, message = 'change') => {
    for (const [path, content] of Object.entries(files)) await writeFile(join(folder, name, path), content);
    await git(['add', '--all'], { in: name });
    await git(['commit', '--quiet', '--allow-empty', '-m', message], { in: name });
    return git(['rev-parse', 'HEAD'], { in: name });
  };
  return {
    folder,
    run: (args, options) => run('git', [...IDENTITY, ...args], here(options)),
    git,
    commit,
    async working(name, files = { 'README.md': `# ${name}\n` }) {
      await git(['init', '--quiet', name]);
      await commit(name, files, 'first');
    },
    async update(name, lines) {
      await git(['update-ref', '--stdin'], { in: name, input: lines });
    },
    object: (name, type, content) =>
      git(['hash-object', '-t', type, '-w', '--literally', '--stdin'], { in: name, input: content }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
