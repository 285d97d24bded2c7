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

/**
 * Why each of these changes cannot be made to the refs, by the name of the ref; empty where all can. A name that is one
 * of another's folders is refused even where that one goes in the same breath: git cannot do both at once.
 */
export function refusedChanges(refs: Refs, changes: readonly RefChange[]): ReadonlyMap<string, DomainError> {
  const created = changes.filter(({ before, after }) => before === null && after !== null);
  const folders = created.length > 0 ? foldersOf([...refs.keys(), ...created.map(({ ref }) => ref)]) : none;
  const creating = new Set(created.map(({ ref }) => ref));
  const refused = new globalThis.Map<string, DomainError>();
  for (const change of changes) {
    const { ref, before } = change;
    const reason =
      (refs.get(ref) ?? null) !== before
        ? conflict('refs.moved', `${shortName(ref)} has moved meanwhile: fetch first`)
        : creating.has(ref)
          ? refusedName(ref, refs, folders, creating)
          : undefined;
    if (reason) refused.set(ref, reason);
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

/** The default branch that a repository without branches gets from its first: `main` or `master` where they are among them. */
export function firstDefaultBranch(refs: Refs, changes: readonly RefChange[]): string | undefined {
  if (refs.keySeq().some((ref) => ref.startsWith(BRANCHES))) return undefined;
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
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  if (/[\x00-\x20\x7f\ufffd~^:?*[\\]|\.\.|@\{/.test(ref)) return false;
  return ref.split('/').every((part, index) => isPart(part) && !(index === 2 && part.startsWith('-')));
}

const isPart = (part: string) =>
  part !== '' &&
  part !== '@' &&
  !part.startsWith('.') &&
  !part.endsWith('.lock') &&
  Buffer.byteLength(part) <= MAX_PART_BYTES;

/** `topic` of `refs/heads/topic`; other refs in full. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

const none: ReadonlySet<string> = new Set<string>();

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

const foldersOf = (refs: readonly string[]): ReadonlySet<string> => new Set(refs.flatMap(ancestorsOf));

/** `refs` and `refs/heads` of `refs/heads/a`. */
function ancestorsOf(ref: string): string[] {
  const folders: string[] = [];
  for (let slash = ref.indexOf('/'); slash > 0; slash = ref.indexOf('/', slash + 1))
    folders.push(ref.slice(0, slash));
  return folders;
}
