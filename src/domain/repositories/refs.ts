import { Map } from 'immutable';
import { conflict, invalid, type DomainError } from '../errors.js';
import type { Hash, RefUpdate } from './repository-messages.js';

/** Where every branch, tag and other ref of a repository points to, by its full name. */
export type Refs = Map<string, Hash>;

/** A ref that somebody wants moved; `before` is what they saw: null where it must not exist yet. `after` null deletes it. */
export interface RefChange {
  readonly ref: string;
  readonly before: Hash | null;
  readonly after: Hash | null;
}

export const BRANCHES = 'refs/heads/';
export const TAGS = 'refs/tags/';

const MAX_REF_BYTES = 1_000;
/** A file system's limit, less what git appends while it writes. */
const MAX_PART_BYTES = 240;
/** Of one repository: whoever works on any of its refs holds all of them in memory. */
export const MAX_REFS = 500_000;
/** All but the last are folders on the disk, which nobody's quota counts. */
const MAX_PARTS = 50;

/** The code of the refusal of a change of a ref that has moved since. */
export const REFS_MOVED = 'refs.moved';

/**
 * Why each of these changes cannot be made to the refs, by the name of the ref; empty where all can. A name that is one
 * of another's folders is refused even where that one goes in the same breath: git cannot do both at once.
 */
export function refusedChanges(
  refs: Refs,
  changes: readonly RefChange[],
  most = MAX_REFS,
): ReadonlyMap<string, DomainError> {
  const created = changes.filter(isCreation).map(({ ref }) => ref);
  const creating = new Set(created.filter(isRefName));
  const folders = foldersAmong(creating, refs);
  const refused = new globalThis.Map<string, DomainError>();
  let room = most - refs.size;
  for (const change of changes) {
    const { ref, before } = change;
    const reason =
      (refs.get(ref) ?? null) !== before
        ? conflict(REFS_MOVED, `${shortName(ref)} has moved meanwhile: fetch first`)
        : isCreation(change)
          ? refusedName(ref, refs, folders, creating)
          : undefined;
    if (reason) refused.set(ref, reason);
    else if (isCreation(change) && (room -= 1) < 0)
      refused.set(ref, invalid('refs.too_many', 'Name', `a repository has ${most} refs at most`));
  }
  return refused;
}

/** The events of refs that move: none where nothing does. Throws the first refusal. */
export function decideUpdateRefs(
  refs: Refs,
  { updates }: { readonly updates: readonly RefUpdate[] },
): readonly RefUpdate[] {
  const [refusal] = refusedChanges(refs, updates).values();
  if (refusal) throw refusal;
  return updates.filter(({ before, after }) => before !== after);
}

/** The refs after these updates, which are taken as they come: whether they fit was decided before. */
export const movedRefs = (refs: Refs, updates: readonly RefUpdate[]): Refs =>
  refs.withMutations((moved) => {
    for (const { ref, after } of updates) {
      if (after === null) moved.delete(ref);
      else moved.set(ref, after);
    }
  });

/** Whether any of the refs is a branch. */
export function hasBranch(refs: Iterable<string>): boolean {
  for (const ref of refs) if (ref.startsWith(BRANCHES)) return true;
  return false;
}

/**
 * The default branch that a repository without branches gets from its first: `main` or `master` where they are among
 * them.
 */
export function firstDefaultBranch(refs: Refs, changes: readonly RefChange[]): string | undefined {
  if (hasBranch(refs.keys())) return undefined;
  const branches = changes
    .filter(({ ref, after }) => after !== null && ref.startsWith(BRANCHES))
    .map(({ ref }) => ref.slice(BRANCHES.length));
  return ['main', 'master'].find((name) => branches.includes(name)) ?? branches[0];
}

/** The default branch of a repository that comes with these refs: the one that is named, where it is among them. */
export function defaultBranchAmong(refs: ReadonlyMap<string, Hash>, named?: string): string | undefined {
  if (named !== undefined && refs.has(BRANCHES + named)) return named;
  const changes = Array.from(refs, ([ref, after]) => ({ ref, before: null, after }));
  return firstDefaultBranch(Map(), changes) ?? named;
}

/** What would have to change for the refs `from` to be the refs `to`. */
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

/** Whether git takes it as the full name of a ref, and no program takes its short name for an option. */
export function isRefName(ref: string): boolean {
  if (!ref.startsWith('refs/') || ref.endsWith('.') || Buffer.byteLength(ref) > MAX_REF_BYTES) return false;
  if (ref === BRANCHES.slice(0, -1) || ref === TAGS.slice(0, -1)) return false; // it would be in the way of all of them
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  if (/[\x00-\x20\x7f\ufffd~^:?*[\\]|\.\.|@\{/.test(ref)) return false;
  const parts = ref.split('/');
  if (parts.length > MAX_PARTS) return false;
  return parts.every((part, index) => isPart(part) && !(index === 2 && part.startsWith('-')));
}

const isPart = (part: string) =>
  part !== '' &&
  part !== '@' &&
  !part.startsWith('.') &&
  !part.endsWith('.lock') &&
  Buffer.byteLength(part) <= MAX_PART_BYTES;

/** `topic` of `refs/heads/topic`; other refs in full. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

const isCreation = ({ before, after }: RefChange): boolean => before === null && after !== null;

/** Why a ref cannot be made beside these; undefined where it can, or is there already. */
export function refusedCreation(refs: Refs, ref: string): DomainError | undefined {
  const creating = new Set([ref]);
  return refusedName(ref, refs, foldersAmong(creating, refs), creating);
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

/** Those of the created refs that are folders of others, created or there: nothing is kept of all the others. */
function foldersAmong(creating: ReadonlySet<string>, refs: Refs): ReadonlySet<string> {
  const folders = new Set<string>();
  if (creating.size === 0) return folders;
  const lengths = new Set(Array.from(creating, ({ length }) => length));
  const look = (ref: string) => {
    for (let slash = ref.indexOf('/'); slash > 0; slash = ref.indexOf('/', slash + 1)) {
      const folder = lengths.has(slash) ? ref.slice(0, slash) : undefined;
      if (folder !== undefined && creating.has(folder)) folders.add(folder);
    }
  };
  for (const ref of refs.keys()) look(ref);
  for (const ref of creating) look(ref);
  return folders;
}

/** `refs` and `refs/heads` of `refs/heads/a`. */
function ancestorsOf(ref: string): string[] {
  const folders: string[] = [];
  for (let slash = ref.indexOf('/'); slash > 0; slash = ref.indexOf('/', slash + 1))
    folders.push(ref.slice(0, slash));
  return folders;
}
