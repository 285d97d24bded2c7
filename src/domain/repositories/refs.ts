import { Map } from 'immutable';
import { conflict, invalid, type DomainError } from '../errors.js';
import type { Hash, RefUpdate } from './repository-messages.js';

/** The hashes that all branches, tags and other refs of a repository point to, by full name. */
export type Refs = Map<string, Hash>;

/** A requested move of a ref. `before` is what the caller saw: null if there was no ref. `after` is null to delete it. */
export interface RefChange {
  readonly ref: string;
  readonly before: Hash | null;
  readonly after: Hash | null;
}

export const BRANCHES = 'refs/heads/';
export const TAGS = 'refs/tags/';

const MAX_REF_BYTES = 1_000;
/** The file system's limit, less the suffix that git appends while it writes. */
const MAX_PART_BYTES = 240;
/** The maximum number of refs of a repository, because work on any of them holds all of them in memory. */
export const MAX_REFS = 500_000;
/** The maximum number of parts of a name, because all but the last are folders on disk, which no quota counts. */
const MAX_PARTS = 50;

/** The code of the refusal of a change of a ref that has moved meanwhile. */
export const REFS_MOVED = 'refs.moved';

/**
 * Returns the refusals of those changes that cannot be made, by the name of the ref. A name that is a folder in
 * another's name is refused unless the other ref is deleted by the same changes.
 */
export function refusedChanges(
  refs: Refs,
  changes: readonly RefChange[],
  most = MAX_REFS,
): ReadonlyMap<string, DomainError> {
  const creating = namesOf(changes.filter(isCreation));
  const leaving = changes.filter((change) => change.after === null && !hasMoved(refs, change));
  const staying = refs.deleteAll(leaving.map(({ ref }) => ref));
  const folders = foldersAmong(creating, staying.keys(), creating);
  const refused = new globalThis.Map<string, DomainError>();
  let room = most - refs.size;
  for (const change of changes) {
    const { ref } = change;
    const reason = hasMoved(refs, change)
      ? movedMeanwhile(ref)
      : isCreation(change)
        ? refusedName(ref, staying, folders, creating)
        : undefined;
    if (reason) refused.set(ref, reason);
    else if (isCreation(change) && (room -= 1) < 0)
      refused.set(ref, invalid('refs.too_many', 'Name', `a repository has ${most} refs at most`));
  }
  return refused;
}

/** Tells whether a ref is not where the caller saw it. */
export const hasMoved = (refs: Refs, { ref, before }: RefChange): boolean =>
  (refs.get(ref) ?? null) !== before;

/** Tells whether a ref is where it is to go, because somebody else or an earlier attempt has moved it there. */
export const hasArrived = (refs: Refs, { ref, before, after }: RefChange): boolean =>
  before !== after && (refs.get(ref) ?? null) === after;

/** Makes the refusal of a change of a ref that has moved. */
export const movedMeanwhile = (ref: string): DomainError =>
  conflict(REFS_MOVED, `${shortName(ref)} has moved meanwhile: fetch first`);

/**
 * Splits changes into those that git can make at once. Deletions come first if one of them makes room for a ref of the
 * same changes whose name it is a folder of, or the other way around.
 */
export function inOrder<Change extends RefChange>(
  changes: readonly Change[],
): readonly (readonly Change[])[] {
  const deletions = changes.filter(({ after }) => after === null);
  const created = namesOf(changes.filter(isCreation));
  const deleted = namesOf(deletions);
  const makesRoom = foldersAmong(created, deleted).size > 0 || foldersAmong(deleted, created).size > 0;
  return makesRoom ? [deletions, changes.filter(({ after }) => after !== null)] : [changes];
}

const namesOf = (changes: readonly RefChange[]) => new Set(changes.map(({ ref }) => ref).filter(isRefName));

/** Returns the updates to record, without those that change nothing. Throws the first refusal. */
export function decideUpdateRefs(
  refs: Refs,
  { updates }: { readonly updates: readonly RefUpdate[] },
): readonly RefUpdate[] {
  const [refusal] = refusedChanges(refs, updates).values();
  if (refusal) throw refusal;
  return updates.filter(({ before, after }) => before !== after);
}

/** Applies updates to refs without checking them, because that was done when they were decided. */
export const movedRefs = (refs: Refs, updates: readonly RefUpdate[]): Refs =>
  refs.withMutations((moved) => {
    for (const { ref, after } of updates) {
      if (after === null) moved.delete(ref);
      else moved.set(ref, after);
    }
  });

/** Tells whether any of the refs is a branch. */
export function hasBranch(refs: Iterable<string>): boolean {
  for (const ref of refs) if (ref.startsWith(BRANCHES)) return true;
  return false;
}

/** Returns the commit that new branches are compared with, the tip of the default branch; undefined if there is none. */
export const baseOfNew = ({ refs, settings }: Based): Hash | undefined =>
  refs.get(BRANCHES + settings.defaultBranch);

/** The refs of a repository, and which branch is the default. */
interface Based {
  readonly refs: Refs;
  readonly settings: { readonly defaultBranch: string };
}

/**
 * Returns the default branch that the first branches of a repository give it: `main` or `master` if they are among
 * them. Undefined if it has branches already.
 */
export function firstDefaultBranch(refs: Refs, changes: readonly RefChange[]): string | undefined {
  if (hasBranch(refs.keys())) return undefined;
  const branches = changes
    .filter(({ ref, after }) => after !== null && ref.startsWith(BRANCHES))
    .map(({ ref }) => ref.slice(BRANCHES.length));
  return ['main', 'master'].find((name) => branches.includes(name)) ?? branches[0];
}

/**
 * Returns the default branch of a new repository: `named` if it is a branch or there are none, else what
 * `firstDefaultBranch` returns.
 */
export function defaultBranchAmong(refs: ReadonlyMap<string, Hash>, named?: string): string | undefined {
  if (named !== undefined && refs.has(BRANCHES + named)) return named;
  const changes = Array.from(refs, ([ref, after]) => ({ ref, before: null, after }));
  return firstDefaultBranch(Map(), changes) ?? named;
}

/** Returns the changes that turn the refs `from` into the refs `to`. */
export function changesBetween(
  from: Iterable<readonly [string, Hash]>,
  to: { readonly [Symbol.iterator]: () => Iterator<readonly [string, Hash]> },
): RefChange[] {
  const before = new globalThis.Map(from);
  const changes: RefChange[] = [];
  for (const [ref, after] of to) {
    const was = before.get(ref) ?? null;
    if (was !== after) changes.push({ ref, before: was, after });
    before.delete(ref);
  }
  for (const [ref, was] of before) changes.push({ ref, before: was, after: null });
  return changes;
}

/** Tells whether git accepts a text as the full name of a ref, and no program could take its short name for an option. */
export function isRefName(ref: string): boolean {
  if (!ref.startsWith('refs/') || ref.endsWith('.') || Buffer.byteLength(ref) > MAX_REF_BYTES) return false;
  if (ref === BRANCHES.slice(0, -1) || ref === TAGS.slice(0, -1)) return false; // as a ref it would prevent all others
  if (shortName(ref) === '@') return false; // git's own word for HEAD
  // What came of bytes that are no UTF-8 is no name either.
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  if (/[\x00-\x20\x7f\ufffd\p{Cs}~^:?*[\\]|\.\.|@\{/u.test(ref)) return false;
  const parts = ref.split('/');
  if (parts.length > MAX_PARTS) return false;
  return parts.every((part, index) => isPart(part) && !(index === 2 && part.startsWith('-')));
}

const isPart = (part: string) =>
  part !== '' &&
  !part.startsWith('.') &&
  !part.endsWith('.lock') &&
  Buffer.byteLength(part) <= MAX_PART_BYTES;

/** Returns the short name of a branch or tag, such as `topic` for `refs/heads/topic`; other refs stay in full. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

const isCreation = ({ before, after }: RefChange): boolean => before === null && after !== null;

/** Returns the refusal of a new ref; undefined if it can be created or exists already. */
export function refusedCreation(refs: Refs, ref: string): DomainError | undefined {
  const creating = new Set([ref]);
  return refusedName(ref, refs, foldersAmong(creating, refs.keys(), creating), creating);
}

function refusedName(
  ref: string,
  refs: Refs,
  folders: ReadonlySet<string>,
  creating: ReadonlySet<string>,
): DomainError | undefined {
  if (!isRefName(ref))
    return invalid('refs.name', 'Name', `${shortName(ref)} is no name for a branch or tag`);
  const inTheWay = folders.has(ref)
    ? `${shortName(ref)}/…`
    : ancestorsOf(ref).find((folder) => refs.has(folder) || creating.has(folder));
  if (inTheWay === undefined) return undefined;
  return conflict('refs.in_the_way', `${shortName(ref)} cannot stand beside ${shortName(inTheWay)}`);
}

/** Returns those of the refs that are folders in the names of others. Stores nothing about the rest. */
function foldersAmong(
  refs: ReadonlySet<string>,
  ...others: readonly Iterable<string>[]
): ReadonlySet<string> {
  const folders = new Set<string>();
  if (refs.size === 0) return folders;
  const lengths = new Set(Array.from(refs, ({ length }) => length));
  for (const names of others)
    for (const name of names)
      for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
        const folder = lengths.has(slash) ? name.slice(0, slash) : undefined;
        if (folder !== undefined && refs.has(folder)) folders.add(folder);
      }
  return folders;
}

/** Returns the folders in a name, such as `refs` and `refs/heads` for `refs/heads/a`. */
function ancestorsOf(ref: string): string[] {
  const folders: string[] = [];
  for (let slash = ref.indexOf('/'); slash > 0; slash = ref.indexOf('/', slash + 1))
    folders.push(ref.slice(0, slash));
  return folders;
}
