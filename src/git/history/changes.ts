import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { ChangedFile, Changes } from '../port/history.js';
import type { ProgramOptions } from '../port/programs.js';
import type { GitProgram } from '../program/git-program.js';
import { NUL, splitRecords } from '../program/records.js';

/** A commit, and the one that it is compared with; undefined compares it with an empty tree. */
export interface Compared {
  readonly commit: Hash;
  readonly before: Hash | undefined;
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'removed' };

/** The maximum number of a commit's listed files. */
const MAX_LISTED = 3_000;
/** The maximum total length of a commit's listed paths, because a push of a few kilobytes can name gigabytes of them. */
const MAX_LISTED_BYTES = 1024 * 1024;

/** The timeout: that of any short program, or this long per commit if that is more. */
const LEAST_MS = 30_000;
const EACH_MS = 6_000;

/** In a commit that rewrites more lines than fit into memory, the lines of files beyond this size are not counted. */
const LINES_UNCOUNTED = { 'core.bigFileThreshold': '1m' };

/** Returns what each of these commits changed, by one program if it can. Commits that changed nothing are left out. */
export async function changesOfEach(
  program: GitProgram,
  path: string,
  commits: readonly Compared[],
  signal?: AbortSignal,
): Promise<Map<Hash, Changes>> {
  const options = signal ? { signal } : {};
  try {
    return await compareEach(program, path, commits, options);
  } catch (error) {
    if (!(error instanceof GitLimitExceeded) || error.limit !== 'memory') throw error;
  }
  if (commits.length === 1)
    return await compareEach(program, path, commits, { ...options, config: LINES_UNCOUNTED });
  const changes = new Map<Hash, Changes>();
  for (const commit of commits)
    for (const change of await changesOfEach(program, path, [commit], signal)) changes.set(...change);
  return changes;
}

async function compareEach(
  program: GitProgram,
  path: string,
  commits: readonly Compared[],
  options: Pick<ProgramOptions, 'config' | 'signal'>,
): Promise<Map<Hash, Changes>> {
  const tallies = new Map<Hash, Tally>();
  let tally: Tally | undefined;
  const take = (record: Buffer) => {
    const text = record.toString();
    if (tally?.takes(text)) return;
    tally = new Tally();
    tallies.set(text, tally);
  };
  const args = [
    'diff-tree',
    '--stdin',
    '--root',
    '-r',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--raw',
    '--numstat',
  ];
  const input = commits.map(({ commit, before }) => `${commit}${before ? ` ${before}` : ''}\n`).join('');
  await program.stream(
    path,
    args,
    { ...options, input, timeoutMs: Math.max(LEAST_MS, commits.length * EACH_MS) },
    splitRecords(NUL, take),
  );
  return new Map([...tallies].map(([commit, { changes }]) => [commit, changes]));
}

/** Parses git's output about one commit: the status of every file, then the numbers of lines of every file. */
class Tally {
  readonly #files = new Map<string, ChangedFile>();
  #total = 0;
  #additions = 0;
  #deletions = 0;
  #listed = 0;
  /** The status of the file whose path is the next record. */
  #status: string | undefined;

  get changes(): Changes {
    const [files, total] = [[...this.#files.values()], this.#total];
    return { files, total, additions: this.#additions, deletions: this.#deletions };
  }

  /** Takes a record; returns false if it does not belong to this commit. */
  takes(record: string): boolean {
    if (this.#status !== undefined) this.#list(record, this.#status);
    else if (record.startsWith(':')) this.#status = record.at(-1);
    else return this.#count(record);
    return true;
  }

  #list(path: string, status: string): void {
    this.#status = undefined;
    this.#total += 1;
    this.#listed += Buffer.byteLength(path);
    if (this.#files.size >= MAX_LISTED || this.#listed > MAX_LISTED_BYTES) return;
    this.#files.set(path, { path, status: STATUS[status] ?? 'modified', additions: 0, deletions: 0 });
  }

  #count(record: string): boolean {
    const [, more, less, path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(record) ?? [];
    if (more === undefined) return false;
    const lines = { additions: Number(more) || 0, deletions: Number(less) || 0 };
    this.#additions += lines.additions;
    this.#deletions += lines.deletions;
    const file = this.#files.get(path);
    if (file) this.#files.set(path, { ...file, ...lines });
    return true;
  }
}
