import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { forbidden } from '../errors.js';
import type { BranchProtection } from './branch-protection.js';
import {
  branchProtectionAdded,
  BranchProtections,
  type BranchProtectionsCommand,
} from './branch-protections.js';
import { checkRulesKept } from './branch-rules.js';
import { Collaborators, type CollaboratorsCommand, type CollaboratorsState } from './collaborators.js';
import { DeployKeys, type DeployKeysCommand, type DeployKeysState } from './deploy-keys.js';
import {
  checkExists,
  checkNameKept,
  checkNotArchived,
  decideLifecycle,
  evolveLifecycle,
  initialLifecycle,
  type LifecycleCommand,
  type LifecycleState,
} from './lifecycle.js';
import { decideMirroring, type MirroringCommand, type MirroringState } from './mirroring.js';
import { BRANCHES, decideUpdateRefs, hasBranch, movedRefs, type Refs, shortName } from './refs.js';
import type { RefUpdate, RepositoryEvent } from './repository-messages.js';
import type { RepositorySettings } from './settings.js';
import { snapshotForm } from '../snapshot.js';
import { Topics, type TopicsCommand } from './topics.js';
import { Transfer, type TransferCommand, type TransferState } from './transfer.js';

type UpdateRefs = Message<
  'UpdateRefs',
  {
    pusherId: number | null;
    pushId: string;
    updates: readonly RefUpdate[];
    /** Replaces a default branch that does not exist, or is being deleted. */
    defaultBranch?: string;
    /** The rules that the update was checked against; absent for updates that neither rules nor archiving prevent. */
    judgedBy?: readonly BranchProtection[];
    at: string;
  }
>;

/** The commands of one repository, of all parts of the aggregate. */
export type RepositoryCommand =
  | LifecycleCommand
  | UpdateRefs
  | MirroringCommand
  | CollaboratorsCommand
  | TopicsCommand
  | DeployKeysCommand
  | BranchProtectionsCommand
  | TransferCommand;

/** The state that decisions on a repository rest on, part by part. */
export interface RepositoryState extends LifecycleState, MirroringState {
  readonly refs: Refs;
  readonly collaborators: CollaboratorsState;
  readonly topics: readonly string[];
  readonly deployKeys: DeployKeysState;
  readonly branchProtections: readonly BranchProtection[];
  readonly transfer: TransferState;
}

/** A repository: its facts, its refs, and who may do what in it. Each part is decided in a file of its own. */
export const Repository: Decider<RepositoryCommand, RepositoryEvent, RepositoryState> = {
  category: 'repository',
  initialState: {
    ...initialLifecycle,
    triedAt: undefined,
    refs: Map(),
    collaborators: Collaborators.initialState,
    topics: Topics.initialState,
    deployKeys: DeployKeys.initialState,
    branchProtections: BranchProtections.initialState,
    transfer: Transfer.initialState,
  },
  snapshot: snapshotForm(2),

  evolve(state, event) {
    switch (event.type) {
      case 'RepositoryCreated':
      case 'RepositoryTransferred':
        return {
          ...evolveLifecycle(state, event),
          collaborators: Collaborators.evolve(state.collaborators, event),
          transfer: Transfer.evolve(state.transfer, event),
        };
      case 'RepositoryTransferRequested':
      case 'RepositoryTransferRejected':
        return { ...state, transfer: Transfer.evolve(state.transfer, event) };
      case 'RefsUpdated':
        return { ...evolveLifecycle(state, event), refs: movedRefs(state.refs, event.data.updates) };
      case 'CollaboratorAdded':
      case 'CollaboratorChanged':
      case 'CollaboratorRemoved':
        return { ...state, collaborators: Collaborators.evolve(state.collaborators, event) };
      case 'TopicsReplaced':
        return { ...state, topics: Topics.evolve(state.topics, event) };
      case 'DeployKeyAdded':
      case 'DeployKeyRemoved':
        return { ...state, deployKeys: DeployKeys.evolve(state.deployKeys, event) };
      case 'BranchProtectionAdded':
      case 'BranchProtectionEdited':
      case 'BranchProtectionRemoved':
        return { ...state, branchProtections: BranchProtections.evolve(state.branchProtections, event) };
      case 'MirrorPulled':
        return { ...state, triedAt: event.data.pulledAt };
      case 'MirrorPullFailed':
        return { ...state, triedAt: event.data.failedAt };
      default:
        return evolveLifecycle(state, event);
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'CreateRepository': {
        const { topics = [], branchProtections = [], ...data } = command.data;
        const at = data.createdAt;
        return [
          ...decideLifecycle({ type: 'CreateRepository', data }, state),
          ...Topics.decide({ type: 'ReplaceTopics', data: { topics, at } }, state.topics),
          ...branchProtections.map((rule) => branchProtectionAdded({ ...rule, at })),
        ];
      }
      case 'FillRefs':
      case 'EditRepository':
      case 'DetachRepository':
      case 'DeleteRepository':
      case 'AbandonClaim':
        return decideLifecycle(command, state);
      default:
        checkExists(state);
        return decidePart(command, state);
    }
  },
};

/** Decides the commands that require an existing repository. */
function decidePart(
  command: Exclude<RepositoryCommand, LifecycleCommand>,
  state: RepositoryState,
): readonly RepositoryEvent[] {
  switch (command.type) {
    case 'UpdateRefs':
      return updateRefs(command.data, state);
    case 'RecordPull':
      return decideMirroring(command, state);
    case 'AddCollaborator':
    case 'RemoveCollaborator':
      checkNotArchived(state);
      return Collaborators.decide(command, state.collaborators);
    case 'RemoveTopic':
      checkNotArchived(state);
      return Topics.decide(command, state.topics);
    case 'ReplaceTopics':
    case 'AddTopic': {
      const events = Topics.decide(command, state.topics); // what is invalid is told first
      checkNotArchived(state);
      return events;
    }
    case 'AddDeployKey':
    case 'RemoveDeployKey':
      checkNotArchived(state);
      return DeployKeys.decide(command, state.deployKeys);
    case 'AddBranchProtection':
    case 'EditBranchProtection':
    case 'RemoveBranchProtection':
      checkNotArchived(state);
      return BranchProtections.decide(command, state.branchProtections);
    case 'Transfer':
      checkNameKept(command.data.claimsLost, state);
      return Transfer.decide(command, state.transfer);
    case 'RequestTransfer':
    case 'RejectTransfer':
      return Transfer.decide(command, state.transfer);
  }
}

function updateRefs(
  { at: updatedAt, defaultBranch, judgedBy, ...data }: UpdateRefs['data'],
  state: RepositoryState,
): readonly RepositoryEvent[] {
  const { refs, settings } = state;
  const updates = decideUpdateRefs(refs, data);
  if (judgedBy) checkJudgement(updates, judgedBy, state);
  const deleted = updates.filter(({ after }) => after === null).map(({ ref }) => ref);
  const isPulled = data.pusherId === null; // a pull may delete the default branch of a mirror, which then gets another one
  if (!isPulled && defaultBranch === undefined) for (const ref of deleted) refuseDefaultBranch(ref, settings);
  if (updates.length === 0) return [];
  const refsAfter = movedRefs(refs, updates);
  const currentDefault = BRANCHES + settings.defaultBranch;
  const keepsDefault = refs.has(currentDefault) && refsAfter.has(currentDefault);
  const empties = hasBranch(deleted) && !hasBranch(refsAfter.keys());
  const moved = {
    ...data,
    ...(defaultBranch !== undefined && !keepsDefault && { defaultBranch }),
    ...(empties && { empties }),
  };
  return [{ type: 'RefsUpdated', data: { ...moved, updates, updatedAt } }];
}

/** Refuses an update if the repository was archived, or the rules of its branches changed, since it was checked. */
function checkJudgement(
  updates: readonly RefUpdate[],
  judgedBy: readonly BranchProtection[],
  state: RepositoryState,
): void {
  checkNotArchived(state);
  const branches = updates.map(({ ref }) => ref).filter((ref) => ref.startsWith(BRANCHES));
  checkRulesKept(branches.map(shortName), judgedBy, state.branchProtections);
}

/** Refuses to delete the default branch. */
export function refuseDefaultBranch(ref: string, { defaultBranch }: RepositorySettings): void {
  if (ref === BRANCHES + defaultBranch) throw forbidden('branch.default', 'the default branch stays');
}
