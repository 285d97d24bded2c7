import type { Hash } from '../port/hash.js';
import type { ChangedFile, Changes } from '../port/history.js';
import type { GitProgram } from '../program/git-program.js';
import { NUL, splitRecords } from '../program/records.js';

/** A commit, and what it is compared with: nothing without. */
export interface Compared {
  readonly commit: Hash;
  readonly before: Hash | undefined;
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'removed' };

/** Of the paths that are listed of a commit: a push of a few kilobytes can name gigabytes of them. */
const MAX_LISTED_BYTES = 1024 * 1024;

/** For one commit as long as any short program has, and for each of many somewhat more. */
const LEAST_MS = 30_000;
const EACH_MS = 6_000;

/** What each of these commits changed, by one program. Without those that changed nothing. */
export async function changesOfEach(
  program: GitProgram,
  path: string,
  commits: readonly Compared[],
  limit: number,
): Promise<Map<Hash, Changes>> {
  const tallies = new Map<Hash, Tally>();
  let tally: Tally | undefined;
  const take = (record: Buffer) => {
    const text = record.toString();
    if (tally?.takes(text)) return;
    tally = new Tally(limit);
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
    { input, timeoutMs: Math.max(LEAST_MS, commits.length * EACH_MS) },
    splitRecords(NUL, take),
  );
  return new Map([...tallies].map(([commit, { changes }]) => [commit, changes]));
}

/** What git says of one commit: every file, then every file's lines. */
class Tally {
  readonly #files = new Map<string, ChangedFile>();
  #total = 0;
  #additions = 0;
  #deletions = 0;
  #listed = 0;
  /** Of the file whose name comes next. */
  #status: string | undefined;

  constructor(private readonly limit: number) {}

  get changes(): Changes {
    const [files, total] = [[...this.#files.values()], this.#total];
    return { files, total, additions: this.#additions, deletions: this.#deletions };
  }

  /** False where the record is none of this commit. */
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
    if (this.#files.size >= this.limit || this.#listed > MAX_LISTED_BYTES) return;
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
