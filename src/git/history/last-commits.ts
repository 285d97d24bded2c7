import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE, NUL, splitRecords } from '../program/records.js';

/** The time limit of a search; paths that are not found by then are left out. */
const WITHIN_MS = 5_000;

/** How many commits each round examines, few at first because most paths changed recently. The last number is repeated. */
const AT_ONCE = [500, 8_000, 20_000];

/** The repository and program of a search; `signal` ends it. */
interface Search {
  readonly program: GitProgram;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A commit and one of its parents; a commit in which the searched folder first appears has none. */
interface Step {
  readonly commit: Hash;
  readonly parent?: Hash;
}

type Paths = Pick<ReadonlySet<string>, 'has'>;
const everything: Paths = { has: () => true };

/**
 * Finds the newest commit that changed each path, as `git log -1` does: while one of a commit's parents has the path
 * unchanged, the search goes on to the first such parent. One walk serves all paths, and ends when all are found.
 */
export async function lastCommits(
  program: GitProgram,
  path: string,
  commit: Hash,
  paths: readonly string[],
): Promise<Map<string, Hash>> {
  const wanted = [...new Set(paths)];
  const search = { program, path, signal: AbortSignal.timeout(WITHIN_MS) };
  const last = new Map<string, Hash>();
  try {
    await find(search, commit, wanted, last);
  } catch (error) {
    if (!(error instanceof GitLimitExceeded) && !search.signal.aborted) throw error;
  }
  return last;
}

async function find(
  search: Search,
  from: Hash,
  wanted: readonly string[],
  last: Map<string, Hash>,
): Promise<void> {
  const [one] = wanted;
  if (one === undefined || wanted.length > 1) return walk(search, from, wanted, last);
  const { program, path, signal } = search;
  const args = ['--literal-pathspecs', 'rev-list', '--max-count=1', from, '--', one];
  const { stdout } = await program.run(path, args, { signal });
  const found = stdout.toString('latin1').trim();
  if (found !== '') last.set(one, found);
}

async function walk(
  search: Search,
  from: Hash,
  wanted: readonly string[],
  last: Map<string, Hash>,
): Promise<void> {
  const folder = commonFolder(wanted);
  const trail = new Trail(wanted, last);
  let skip = 0;
  for (let round = 0; trail.goesOn; round += 1) {
    const count = AT_ONCE[Math.min(round, AT_ONCE.length - 1)] ?? 0;
    const { steps, commits } = await stepsOf(search, from, folder, { skip, count });
    if (steps[0] && skip === 0) trail.begin(steps[0].commit);
    await compare(search, steps, { folder, wanted: new Set(wanted) }, (step, isLast, changed) => {
      trail.follow(step, isLast, changed);
      return trail.goesOn ? undefined : 'enough';
    });
    if (commits < count) break;
    skip += count;
  }
  for (const [commit, paths] of trail.left()) await find(search, commit, [...paths], last);
}

/** Keeps track of which paths are still searched for, and from which commit on. */
class Trail {
  readonly #at = new Map<Hash, Set<string>>();
  readonly #missing: Set<string>;

  constructor(
    wanted: readonly string[],
    private readonly last: Map<string, Hash>,
  ) {
    this.#missing = new Set(wanted);
  }

  get goesOn(): boolean {
    return this.#missing.size > 0;
  }

  begin(commit: Hash): void {
    this.#at.set(commit, new Set(this.#missing));
  }

  /** Paths that do not differ are followed to the parent; paths that differ from all parents were changed here. */
  follow({ commit, parent }: Step, isLast: boolean, changed: Paths): void {
    const here = this.#at.get(commit);
    if (!here) return;
    for (const each of here) {
      if (parent !== undefined && !changed.has(each)) {
        here.delete(each);
        const there = this.#at.get(parent) ?? new Set();
        this.#at.set(parent, there.add(each));
      } else if (isLast && changed.has(each)) {
        this.last.set(each, commit);
        this.#missing.delete(each);
      }
    }
    if (isLast) this.#at.delete(commit);
  }

  /** Returns paths still searched for from commits that the walk had passed already: those are dated after a child. */
  left(): (readonly [Hash, ReadonlySet<string>])[] {
    return [...this.#at];
  }
}

/** Lists the steps from commits to their parents, newest first; commits that do not change the folder are skipped. */
async function stepsOf(
  { program, path, signal }: Search,
  from: Hash,
  folder: string,
  { skip, count }: { readonly skip: number; readonly count: number },
): Promise<{ readonly steps: readonly Step[]; readonly commits: number }> {
  const steps: Step[] = [];
  let commits = 0;
  const take = (line: Buffer) => {
    const [commit = '', ...parents] = line.toString('latin1').split(' ');
    commits += 1;
    if (parents.length === 0) steps.push({ commit });
    for (const parent of parents) steps.push({ commit, parent });
  };
  const within = folder === '' ? [] : ['--full-history', '--', folder];
  const args = ['rev-list', '--parents', `--skip=${skip}`, `--max-count=${count}`, from, ...within];
  await program.stream(path, ['--literal-pathspecs', ...args], { signal }, splitRecords(NEWLINE, take));
  return { steps, commits };
}

/** Compares the commits of each step; calls `take` with the wanted paths that differ, or that contain a difference. */
async function compare(
  { program, path, signal }: Search,
  steps: readonly Step[],
  { folder, wanted }: { readonly folder: string; readonly wanted: ReadonlySet<string> },
  take: (step: Step, isLast: boolean, changed: Paths) => 'enough' | undefined,
): Promise<void> {
  const isFlat = folder === '' && [...wanted].every((each) => !each.includes('/'));
  let index = -1;
  let changed = new Set<string>();
  let isPath = false;
  const end = () => {
    const step = steps[index];
    if (!step) return undefined;
    // If a merge brought the folder, git does not list what is in it.
    const isNew = folder !== '' && step.parent === undefined;
    return take(step, steps[index + 1]?.commit !== step.commit, isNew ? everything : changed);
  };
  const read = (record: Buffer) => {
    if (isPath) {
      for (const each of withParents(record.toString())) if (wanted.has(each)) changed.add(each);
      isPath = false;
    } else if (record.length === STATUS_BYTES) {
      isPath = true; // the next one
    } else {
      const said = end();
      index += 1;
      changed = new Set();
      return said;
    }
    return undefined;
  };
  const input = steps.map(({ commit, parent }) => `${commit}${parent ? ` ${parent}` : ''}\n`).join('');
  const options = [
    '--stdin',
    '--root',
    '--always',
    '--name-status',
    '-z',
    '--no-renames',
    ...(isFlat ? [] : ['-r']),
  ];
  const args = ['--literal-pathspecs', 'diff-tree', ...options, ...(folder === '' ? [] : ['--', folder])];
  await program.stream(path, args, { signal, input }, splitRecords(NUL, read));
  end();
}

/** The length of a status letter, by which it is told from the hash of a commit. */
const STATUS_BYTES = 1;

/** Yields a path and the folders that contain it. */
function* withParents(path: string): Iterable<string> {
  yield path;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
}

/** Returns the deepest folder that contains all paths, or the path itself if there is only one. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let parts = first.split('/');
  for (const other of others) {
    const its = other.split('/');
    const differs = parts.findIndex((part, index) => part !== its[index]);
    if (differs >= 0) parts = parts.slice(0, differs);
  }
  return parts.join('/');
}
