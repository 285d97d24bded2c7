import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE, NUL, splitRecords } from '../program/records.js';

/** A listing waits no longer; what is not found by then goes without. */
const WITHIN_MS = 5_000;

/** How many commits are looked at together: most paths changed of late. Beyond the last of these, as many again. */
const AT_ONCE = [500, 8_000, 20_000];

/** Where a search runs; `signal` ends it. */
interface Search {
  readonly program: GitProgram;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A commit and one that it stands on; the first that has what is looked at stands on nothing. */
interface Step {
  readonly commit: Hash;
  readonly parent?: Hash;
}

type Paths = Pick<ReadonlySet<string>, 'has'>;
const everything: Paths = { has: () => true };

/**
 * The newest commit that changed each path, as `git log -1` finds it: from a commit that has it as one of its parents
 * has it, on to the first such parent. One walk for all of them, which ends with the last path found.
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

/** Which paths are still looked for from which commit on. */
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

  /** What does not differ goes on to the parent; what differs from the last parent too was changed here. */
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

  /** What is to be looked for from a commit that was passed already, since it is dated after one that stands on it. */
  left(): (readonly [Hash, ReadonlySet<string>])[] {
    return [...this.#at];
  }
}

/** From commits to their parents, the newest first; a commit that leaves the folder as it was is passed over. */
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

/** Hands on, for one step after the other, the wanted paths that differ, or in which something does. */
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
    // Where a merge brought the folder, git does not say what of it.
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

/** A letter says what became of a path; all else is the hash of a commit. */
const STATUS_BYTES = 1;

/** A path and the folders that it is in. */
function* withParents(path: string): Iterable<string> {
  yield path;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
}

/** The deepest folder that all paths are in, or the one path. */
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
