import type { DataOf, Message } from '../decider.js';
import type { ProtectionChanges } from './branch-protections.js';
import { difference } from '../difference.js';
import { conflict, DomainError, invalid, notFound } from '../errors.js';
import { checkBranchName } from './names.js';
import { BRANCHES, hasBranch, type Refs } from './refs.js';
import type { CollaboratorPermission, Mirror, RefUpdate, RepositoryEvent } from './repository-messages.js';
import { defaultSettings, type RepositorySettings } from './settings.js';

type Created = DataOf<RepositoryEvent, 'RepositoryCreated'>;

/** What a new repository can be given besides its content. */
export type Extras = {
  topics?: readonly string[];
  branchProtections?: readonly { ruleName: string; changes: ProtectionChanges }[];
};

/** The commands about a repository as a whole; its contents have commands of their own. */
export type LifecycleCommand =
  /** `refs`: the refs that the repository was filled with, or the last of them if `FillRefs` recorded others. */
  | Message<
      'CreateRepository',
      Omit<Created, 'empty'> & {
        refs: { pushId: string; updates: readonly RefUpdate[] };
        collaborator?: { accountId: number; permission: CollaboratorPermission };
      } & Extras
    >
  /** Records refs of a repository before its creation, which takes several appends if there are many. */
  | Message<'FillRefs', { pushId: string; updates: readonly RefUpdate[]; at: string }>
  /** Applied as a whole or not at all; absent fields stay as they are. */
  | Message<
      'EditRepository',
      {
        settings: Partial<RepositorySettings>;
        /** A new name, which was claimed; `claimsLost` is the number from before the claim. */
        name?: { name: string; claimsLost: number };
        isPrivate?: boolean;
        isArchived?: boolean;
        mirror?: Partial<Mirror>;
        at: string;
      }
    >
  /** The repository that it was forked from was deleted. */
  | Message<'DetachRepository', { at: string }>
  /** `ownerId`: the owner when this was requested. If it has another one by now, it is refused as absent. */
  | Message<'DeleteRepository', { ownerId: number; at: string }>
  /** `holds`: the repository holds what it claimed after all, so that nothing is abandoned. */
  | Message<'AbandonClaim', { holds: boolean; at: string }>;

/** The events that change the lifecycle state; of `RefsUpdated`, only the default branch is used. */
export type LifecycleEvent = Extract<
  RepositoryEvent,
  { type: `Repository${string}` | 'RefsUpdated' | 'MirrorChanged' }
>;

/** The state of a repository as a whole, without its contents and permissions. */
export interface LifecycleState {
  /** `abandoned`: another claimant that waited for the name gave up the creation; the repository can never exist. */
  readonly status: 'absent' | 'abandoned' | 'exists' | 'deleted';
  readonly ownerId: number;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  /** The repository that it was forked from, while both exist. */
  readonly baseId: number | undefined;
  readonly mirror: Mirror | null;
  readonly settings: RepositorySettings;
  /** How often the repository lost or gave up a name that it had claimed; see `AccountState`. */
  readonly claimsLost: number;
}

export const initialLifecycle: LifecycleState = {
  status: 'absent',
  ownerId: 0,
  name: '',
  isPrivate: false,
  isArchived: false,
  baseId: undefined,
  mirror: null,
  settings: defaultSettings,
  claimsLost: 0,
};

/** Applies one event to the lifecycle state. Refs and collaborators are folded elsewhere. */
export function evolveLifecycle<State extends LifecycleState>(state: State, event: LifecycleEvent): State {
  return { ...state, ...changesBy(event, state) };
}

function changesBy({ type, data }: LifecycleEvent, state: LifecycleState): Partial<LifecycleState> {
  const { settings, claimsLost } = state;
  switch (type) {
    case 'RepositoryCreated': {
      const { ownerId, name, isPrivate, baseId, mirror = null } = data;
      return { status: 'exists', ownerId, name, isPrivate, baseId, mirror, settings: data.settings };
    }
    case 'RepositoryEdited':
      return { settings: { ...settings, ...data.changes } };
    case 'RepositoryRenamed':
      return { name: data.name, claimsLost: claimsLost + 1 };
    case 'RepositoryVisibilityChanged':
      return { isPrivate: data.isPrivate };
    case 'RepositoryArchived':
      return { isArchived: true };
    case 'RepositoryUnarchived':
      return { isArchived: false };
    case 'RepositoryTransferred':
      return { ownerId: data.ownerId, name: data.name, claimsLost: claimsLost + 1 };
    case 'RepositoryDetached':
      return { baseId: undefined };
    case 'RepositoryDeleted':
      return { status: 'deleted' };
    case 'RepositoryAbandoned':
      return { status: 'abandoned' };
    case 'RepositoryClaimLost':
      return { claimsLost: claimsLost + 1 };
    case 'RefsUpdated':
      return data.defaultBranch === undefined
        ? {}
        : { settings: { ...settings, defaultBranch: data.defaultBranch } };
    case 'MirrorChanged':
      return { mirror: data.mirror };
    case 'RepositoryTransferRequested':
    case 'RepositoryTransferRejected':
      return {};
  }
}

/** Decides the commands about a repository as a whole. Throws a `DomainError` to refuse. */
export function decideLifecycle(
  { type, data }: LifecycleCommand,
  state: LifecycleState & { readonly refs: Refs },
): readonly RepositoryEvent[] {
  switch (type) {
    case 'CreateRepository':
      checkToBe(state);
      return created(data, state.refs);
    case 'FillRefs': {
      checkToBe(state);
      const { pushId, updates, at } = data;
      return filled(null, pushId, updates, at);
    }
    case 'EditRepository':
      checkExists(state);
      return edited(data, state);
    case 'DetachRepository':
      if (state.status !== 'exists' || state.baseId === undefined) return [];
      return [{ type: 'RepositoryDetached', data: { baseId: state.baseId, detachedAt: data.at } }];
    case 'DeleteRepository': {
      checkExists(state);
      const { ownerId, name, baseId } = state;
      if (data.ownerId !== ownerId) throw absent();
      const facts = { ownerId, name, ...(baseId !== undefined && { baseId }) };
      return [{ type: 'RepositoryDeleted', data: { ...facts, deletedAt: data.at } }];
    }
    case 'AbandonClaim':
      if (data.holds || state.status === 'abandoned' || state.status === 'deleted') return [];
      return state.status === 'absent'
        ? [{ type: 'RepositoryAbandoned', data: { abandonedAt: data.at } }]
        : [{ type: 'RepositoryClaimLost', data: { lostAt: data.at } }];
  }
}

function created(
  { refs, collaborator, ...facts }: DataOf<LifecycleCommand, 'CreateRepository'>,
  before: Refs,
): readonly RepositoryEvent[] {
  const { creatorId, createdAt } = facts;
  const empty = !hasBranch([...before.keys(), ...refs.updates.map(({ ref }) => ref)]);
  return [
    { type: 'RepositoryCreated', data: { ...facts, empty } },
    ...filled(creatorId, refs.pushId, refs.updates, createdAt),
    ...(collaborator
      ? [{ type: 'CollaboratorAdded', data: { ...collaborator, addedAt: createdAt } } as const]
      : []),
  ];
}

function filled(
  pusherId: number | null,
  pushId: string,
  updates: readonly RefUpdate[],
  updatedAt: string,
): readonly RepositoryEvent[] {
  return updates.length === 0
    ? []
    : [{ type: 'RefsUpdated', data: { pusherId, pushId, updates, updatedAt } }];
}

/** Records only what differs, so that a repeated request records nothing. */
function edited(
  { settings, name, isPrivate, isArchived, mirror, at }: DataOf<LifecycleCommand, 'EditRepository'>,
  state: LifecycleState & { readonly refs: Refs },
): readonly RepositoryEvent[] {
  const { ownerId } = state;
  checkDefaultBranch(settings.defaultBranch, state);
  if (name) checkNameKept(name.claimsLost, state);
  if (isArchived && state.mirror)
    throw invalid('repository.mirror_archived', 'Archived', 'a mirror cannot be archived');
  const events: RepositoryEvent[] = [];
  if (name && name.name !== state.name) {
    const data = { ownerId, name: name.name, before: state.name, renamedAt: at };
    events.push({ type: 'RepositoryRenamed', data });
  }
  const changes = difference(state.settings, settings);
  if (changes) {
    const data = { changes: changes.after, before: changes.before, editedAt: at };
    events.push({ type: 'RepositoryEdited', data });
  }
  if (isPrivate !== undefined && isPrivate !== state.isPrivate)
    events.push({ type: 'RepositoryVisibilityChanged', data: { ownerId, isPrivate, changedAt: at } });
  if (isArchived === true && !state.isArchived)
    events.push({ type: 'RepositoryArchived', data: { archivedAt: at } });
  if (isArchived === false && state.isArchived)
    events.push({ type: 'RepositoryUnarchived', data: { unarchivedAt: at } });
  if (mirror && state.mirror && difference(state.mirror, mirror))
    events.push({ type: 'MirrorChanged', data: { mirror: { ...state.mirror, ...mirror }, changedAt: at } });
  if (isArchived !== false && events.some((event) => isOwnChange(event, state))) checkNotArchived(state);
  return events;
}

/** Tells whether an event changes the repository itself. A fork's visibility follows its base, even if archived. */
const isOwnChange = ({ type }: RepositoryEvent, { baseId }: LifecycleState): boolean =>
  type !== 'RepositoryVisibilityChanged' || baseId === undefined;

/** The code of the refusal of a rename or transfer that must be retried from the start, including its claim. */
export const NAME_LOST = 'repository.name_lost';
/** The code of the refusal of a creation that must be retried under another id. */
export const ABANDONED = 'repository.abandoned';

function checkToBe({ status }: LifecycleState): void {
  if (status === 'absent') return;
  if (status === 'abandoned') throw conflict(ABANDONED, 'the creation took too long');
  throw conflict('repository.exists', 'the repository exists');
}

/** Throws `repository.absent` (404) unless the repository was created and not deleted. */
export function checkExists({ status }: LifecycleState): void {
  if (status !== 'exists') throw absent();
}

const absent = () => notFound('repository.absent', 'no such repository');

/** Refuses a decision that rests on a name that another repository may hold by now. */
export function checkNameKept(claimsLost: number, state: LifecycleState): void {
  if (claimsLost !== state.claimsLost) throw conflict(NAME_LOST, 'the change of the name took too long');
}

/** Refuses to change the content of an archived repository. */
export function checkNotArchived({ isArchived }: Pick<LifecycleState, 'isArchived'>): void {
  if (isArchived) throw new DomainError('locked', 'repository.archived', 'the repository is archived');
}

function checkDefaultBranch(branch: string | undefined, { refs }: { readonly refs: Refs }): void {
  if (branch === undefined || refs.has(BRANCHES + branch)) return;
  if (!hasBranch(refs.keys())) {
    checkBranchName(branch, 'DefaultBranch');
    return;
  }
  throw invalid('repository.default_branch_absent', 'DefaultBranch', `there is no branch ${branch}`);
}
