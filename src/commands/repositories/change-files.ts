import { conflict, forbidden, notFound } from '../../domain/errors.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import { protectionFor, RULES_CHANGED, type Pusher } from '../../domain/repositories/branch-rules.js';
import { checkNotArchived } from '../../domain/repositories/lifecycle.js';
import { checkBaseBranchName, checkBranchName } from '../../domain/repositories/names.js';
import {
  baseOfNew,
  BRANCHES,
  hasBranch,
  refusedCreation,
  REFS_MOVED,
} from '../../domain/repositories/refs.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import type { Git } from '../../git/git.js';
import type { Hash } from '../../git/port/hash.js';
import type { CommitFacts, Signature } from '../../git/port/objects.js';
import { commandQueues } from '../command-queues.js';
import { step, type CommandContext } from '../context.js';
import { whileOvertaken } from '../while-overtaken.js';
import { checkAsked, checkChanges, pathsOf, refused, writeChanges, type FileChange } from './file-changes.js';
import { publishStaged } from './publish-staged.js';
import { withServicesForRefs } from './roll-forward.js';
import { refusalByFiles } from './rules-on-files.js';
import { movedEarlier, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** A requested commit of files. Whether the changes fit is checked against the branch that gets the commit. */
export interface NewFilesCommit extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusher: Pusher;
  /** The branch to build on; undefined for the default branch. */
  readonly branch: string | undefined;
  /** A branch to make from `branch`, which then gets the commit. None is made if it is the same as `branch`. */
  readonly newBranch: string | undefined;
  /** At least one. */
  readonly files: readonly FileChange[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** A commit that is in the repository now, made by this request or by an earlier attempt of the same command. */
export interface FilesCommitted {
  readonly commit: CommitFacts;
  /** The branch that has the commit. */
  readonly branch: string;
  /** The position that read models must have reached to show it. */
  readonly position: Position;
}

/** How often a commit is tried in all, if other processes keep changing the branch or its rules first. */
const ATTEMPTS = 10;
/** The codes of the refusals that tell that another process was first. */
const OVERTAKEN: readonly string[] = [REFS_MOVED, RULES_CHANGED];

/** Commits of this process to one repository run one at a time, so that they need not be retried because of each other. */
const turns = commandQueues();

/**
 * Makes one commit that changes files of a branch, with the effects of a push. In an empty repository it is the first
 * commit and creates the branch. If another writer changes the branch first, decides again on the new state, this time
 * under the repository's lock: other processes that commit as often would be first again and again.
 */
export function changeFiles(
  services: RefServices,
  commit: NewFilesCommit,
  context: CommandContext,
): Promise<FilesCommitted> {
  return turns.run(String(commit.repositoryId), async () => {
    const earlier = await committedEarlier(services, commit.repositoryId, context);
    if (earlier) return earlier;
    return whileOvertaken(OVERTAKEN, ATTEMPTS, (attempt) => {
      const change = (own: RefServices) => changeOnce(own, commit, attempt, context);
      return attempt === 1 ? change(services) : withServicesForRefs(services, commit.repositoryId, change);
    });
  });
}

/** Finds the commit of an earlier attempt of the same command whose answer was lost; undefined if there is none. */
async function committedEarlier(
  services: RefServices,
  repositoryId: number,
  context: CommandContext,
): Promise<FilesCommitted | undefined> {
  const earlier = await movedEarlier(services, repositoryId, context);
  return earlier && committedBy(services, repositoryId, earlier);
}

/** Finds the commit to which a branch was moved; undefined if it was deleted, or the commit is gone. */
async function committedBy(
  { git }: RefServices,
  repositoryId: number,
  { updates: [update], position }: Pick<RefsMoved, 'updates' | 'position'>,
): Promise<FilesCommitted | undefined> {
  if (!update?.after) return undefined;
  const commit = await git.commit(repositoryId, update.after);
  return commit && { commit, branch: update.ref.slice(BRANCHES.length), position };
}

async function changeOnce(
  services: RefServices,
  asked: NewFilesCommit,
  attempt: number,
  context: CommandContext,
): Promise<FilesCommitted> {
  const { git, commands } = services;
  const { repositoryId, files, pusher } = asked;
  const { state } = await commands.load(Repository, repositoryId);
  checkWritable(state);
  await checkProtection(git, state, asked);
  checkAsked(files);
  if (asked.branch !== undefined) checkBaseBranchName(state, asked.branch, 'Branch');
  if (namesNewBranch(state, asked)) checkBranchName(asked.newBranch, 'NewBranch');
  await checkRoom(services, state, context);
  const { tip, branch, isNew } = placeOf(state, asked);
  const checked = await checkChanges(git, repositoryId, tip, files);
  const staging = await git.stage(repositoryId);
  try {
    const base = tip === undefined ? undefined : await git.commit(repositoryId, tip);
    const facts = {
      tree: await writeChanges(staging, base?.tree, checked),
      parents: tip === undefined ? [] : [tip],
      author: asked.author,
      committer: asked.committer,
      message: asked.message,
    };
    const commit = await staging.writeCommit(facts);
    const change = { ref: BRANCHES + branch, before: isNew ? null : (tip ?? null), after: commit.hash };
    const mayStill = async () => {
      if (tip === undefined) await checkEmpty(services, repositoryId);
      await asked.mayStill?.();
    };
    const staged = { repositoryId, state, pusherId: pusher.accountId, staging, change, attempt, mayStill };
    const moved = await publishStaged(services, staged, context);
    const isOther = moved.updates[0]?.after !== commit.hash;
    const other = isOther ? await committedBy(services, repositoryId, moved) : undefined;
    return other ?? { commit, branch, position: moved.position };
  } finally {
    await staging.discard();
  }
}

/** Refuses a first commit where another writer has made a branch meanwhile, which is then the default branch. */
async function checkEmpty({ commands }: Pick<RefServices, 'commands'>, repositoryId: number): Promise<void> {
  const { refs } = (await commands.load(Repository, repositoryId)).state;
  if (hasBranch(refs.keys())) throw conflict(REFS_MOVED, 'the first branch was made meanwhile: fetch first');
}

/** Refuses to change the content of archived repositories and of mirrors. */
export function checkWritable(state: Pick<RepositoryState, 'isArchived' | 'mirror'>): void {
  checkNotArchived(state);
  if (state.mirror) throw forbidden('repository.mirror', 'a mirror changes with what it mirrors alone');
}

/** Refuses, before anything else is checked, to let a repository grow whose owner has no room left at all. */
export const checkRoom = (
  { storage }: Pick<RefServices, 'storage'>,
  state: Pick<RepositoryState, 'ownerId' | 'isPrivate'>,
  context: CommandContext,
): Promise<void> => storage.checkRoom(state.ownerId, subjectOf(state), step(context, 'check room'));

/** Returns the branch that the commit builds on. */
const sourceOf = ({ settings }: RepositoryState, { branch }: NewFilesCommit): string =>
  branch ?? settings.defaultBranch;

/** Returns the branch that gets the commit. */
const targetOf = (state: RepositoryState, asked: NewFilesCommit): string =>
  asked.newBranch ?? sourceOf(state, asked);

/** Tells whether a branch is to be made, from the one that the commit builds on. */
const namesNewBranch = (
  state: RepositoryState,
  asked: NewFilesCommit,
): asked is NewFilesCommit & { readonly newBranch: string } =>
  asked.newBranch !== undefined && asked.newBranch !== sourceOf(state, asked);

interface Place {
  /** The last commit of the branch that the new one builds on; undefined if the repository is empty. */
  readonly tip: Hash | undefined;
  /** The branch that gets the commit. */
  readonly branch: string;
  readonly isNew: boolean;
}

function placeOf(state: RepositoryState, asked: NewFilesCommit): Place {
  const { refs } = state;
  const operation = asked.files.every((file) => file.operation === 'delete') ? 'delete' : 'update';
  const from = sourceOf(state, asked);
  const to = targetOf(state, asked);
  const tip = refs.get(BRANCHES + from);
  if (namesNewBranch(state, asked)) {
    if (refs.has(BRANCHES + to))
      throw refused(operation, 'branch.exists', 'NewBranch', `branch ${to} already exists`);
    const reason = refusedCreation(refs, BRANCHES + to);
    if (reason) throw refused(operation, reason.code, 'NewBranch', reason.message);
  }
  if (tip !== undefined) return { tip, branch: to, isNew: to !== from };
  if (hasBranch(refs.keys())) throw notFound('branch.absent', `there is no branch ${from}`);
  return { tip, branch: to, isNew: true };
}

async function checkProtection(
  git: Pick<Git, 'changedPaths'>,
  state: RepositoryState,
  asked: NewFilesCommit,
): Promise<void> {
  const { repositoryId, files, pusher } = asked;
  const rule = protectionFor(targetOf(state, asked), state.branchProtections);
  if (!rule) return;
  const tip = state.refs.get(BRANCHES + sourceOf(state, asked));
  const paths = async () =>
    namesNewBranch(state, asked) && tip !== undefined
      ? inTurn(await git.changedPaths(repositoryId, baseOfNew(state), tip), pathsOf(files))
      : pathsOf(files);
  const refusal = await refusalByFiles({ rule, pusher, paths });
  if (refusal !== undefined) throw forbidden('branch.protected', refusal);
  if (rule.requireSignedCommits)
    throw forbidden('branch.signed', 'the branch takes signed commits only, and none is signed here');
}

/** Iterates over the items of each list in turn. */
function* inTurn(...lists: readonly Iterable<string>[]): Generator<string, undefined> {
  for (const list of lists) yield* list;
}
