import { DomainError } from '../../domain/errors.js';
import { RepositoryLabels } from '../../domain/issues/repository-labels.js';
import type { AskedLabel } from '../../domain/labels/label.js';
import { ABANDONED, type Takings } from '../../domain/repositories/lifecycle.js';
import { checkRepositoryName } from '../../domain/repositories/names.js';
import type {
  CollaboratorPermission,
  Hash,
  Mirror,
  RefUpdate,
} from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { RepositorySettings } from '../../domain/repositories/settings.js';
import type { EventLog } from '../../event-log/event-log.js';
import { EventStoreUnavailable, later, START, type Position } from '../../event-store/event-store.js';
import type { CommitFacts } from '../../git/port/objects.js';
import { attemptedId } from '../repeated.js';
import { ClaimTaken, type Claimable, type Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import type { Ids } from '../ids.js';
import { checkStays } from '../organizations/check-stays.js';
import type { Reservation } from '../quota/storage.js';
import { describeFirst, describeRefs } from './describe-refs.js';
import { findCreation } from './find-creation.js';
import { forkClaim, repositoryNameClaim, takenByAnother } from './repository-claims.js';
import { subjectOf } from './roll-forward.js';
import { roundsOf, type RefServices } from './update-refs.js';

/** What creating a repository takes: as for moving refs, and claims, ids, and the log, to find what was done before. */
export interface RepositoryServices extends RefServices {
  readonly claims: Claims;
  readonly ids: Ids;
  readonly log: EventLog;
}

/** A repository to be. */
export interface NewRepository {
  readonly ownerId: number;
  readonly creatorId: number;
  readonly name: string;
  readonly isPrivate: boolean;
  /** `default` where it is left out. */
  readonly trustModel?: string;
  readonly settings: RepositorySettings;
  /** What it is a fork of: an owner has one of each. */
  readonly baseId?: number;
  readonly templateId?: number;
  /** Without credentials. */
  readonly originalUrl?: string;
  readonly mirror?: Mirror;
  /** Labels to begin with. */
  readonly labels?: readonly AskedLabel[];
  readonly takings?: Takings;
  /** Somebody who is let in from the start. */
  readonly collaborator?: { readonly accountId: number; readonly permission: CollaboratorPermission };
}

/** What was put into a repository to be. */
export interface Filled {
  readonly refs: ReadonlyMap<string, Hash>;
  /** The one commit that all of it is, where that was made just now. */
  readonly first?: CommitFacts;
  /** In place of that of the settings. */
  readonly defaultBranch?: string;
  /** Room that was kept for it already; it is decided anew on what the whole measures. */
  readonly reservation?: Reservation;
}

/**
 * Makes the bare repository of that id on disk, with objects and refs. Runs when the name is claimed and the owner has
 * room. Where it rejects, it leaves no reservation behind; the folder is removed for it.
 */
export type Fill = (repositoryId: number, context: CommandContext) => Promise<Filled>;

/** A repository that exists by now, made just now or by the same command before. */
export interface CreatedRepository {
  readonly repositoryId: number;
  /** What a read has to show to show it. */
  readonly position: Position;
}

/** In one append. */
const LABELS_AT_ONCE = 500;

/** A creation that was abandoned for its slowness starts again under a new id, at most so often in all. */
const ATTEMPTS = 3;

/**
 * Creates a repository, whatever is put in. Its name is claimed, then it is made on disk, then its bytes are reserved,
 * then its own stream is begun: before that nothing counts, and what a crash leaves is taken over (the name), lapses
 * (the bytes) or is swept (the folder). A refusal leaves nothing. Refuses a name that cannot be, with a conflict one
 * that is taken and a second fork, and as `QuotaExceeded` what the owner has no room for.
 */
export async function createRepository(
  services: RepositoryServices,
  repository: NewRepository,
  fill: Fill,
  context: CommandContext,
): Promise<CreatedRepository> {
  checkRepositoryName(repository.name);
  const created = await createOnce(services, repository, fill, context);
  const detached = await detachFromWhatIsGone(services, created.repositoryId, repository.baseId, context);
  return { ...created, position: later(created.position, detached) };
}

async function createOnce(
  services: RepositoryServices,
  repository: NewRepository,
  fill: Fill,
  context: CommandContext,
): Promise<CreatedRepository> {
  const earlier = await createdBefore(services, context);
  if (earlier) return earlier;
  for (let attempt = 1; ; attempt++) {
    try {
      const repositoryId = await services.ids.next('repository');
      return await new Creation(services, repositoryId, repository, context).run(fill);
    } catch (error) {
      if (error instanceof ClaimTaken) {
        const earlier = await createdEarlier(services.log, error.holderId, context);
        if (earlier) return earlier;
        throw takenByAnother(error);
      }
      const overtaken = error instanceof DomainError && error.code === ABANDONED;
      if (!overtaken || attempt === ATTEMPTS) throw error;
    }
  }
}

class Creation {
  /** What takes back each step done so far. */
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(
    readonly services: RepositoryServices,
    readonly repositoryId: number,
    readonly repository: NewRepository,
    readonly context: CommandContext,
  ) {}

  async run(fill: Fill): Promise<CreatedRepository> {
    try {
      return await this.#create(fill);
    } catch (error) {
      // Where the outcome of an append is unknown it may exist: then nothing may be taken away.
      if (!(error instanceof EventStoreUnavailable))
        for (const undo of this.#undo.reverse()) await undo().catch(() => undefined); // others take the rest over
      throw error;
    }
  }

  async #create(fill: Fill): Promise<CreatedRepository> {
    const { services, repositoryId, repository, context } = this;
    const { commands, git, storage } = services;
    const { ownerId, name, baseId } = repository;
    await this.#claim(repositoryNameClaim(ownerId, name));
    await Promise.all([
      checkStays(commands, ownerId, context),
      storage.checkRoom(ownerId, subjectOf(repository), step(context, 'check room')),
    ]);
    if (baseId !== undefined) await this.#claim(forkClaim(baseId, ownerId));

    this.#undo.push(() => git.remove(repositoryId));
    const filled = await fill(repositoryId, step(context, 'fill'));
    const settings = {
      ...repository.settings,
      ...(filled.defaultBranch !== undefined && { defaultBranch: filled.defaultBranch }),
    };
    if ((await git.head(repositoryId)) !== settings.defaultBranch)
      await git.setHead(repositoryId, settings.defaultBranch);
    const bytes = await git.sizeOf(repositoryId);
    const [reservation, updates] = await allDone([
      this.#reserve(bytes, filled.reservation),
      this.#describe(filled),
      this.#label(),
    ]);
    const position = await this.#commit(settings, updates);
    this.#undo.length = 0; // it exists: nothing of it may be taken away any more
    const settled = await storage.settle(reservation, bytes, step(context, 'settle'), { begins: true });
    return { repositoryId, position: later(position, settled) };
  }

  async #claim(wanted: Claimable): Promise<void> {
    const { claims } = this.services;
    const claim = await claims.claim(wanted, this.repositoryId, this.context);
    this.#undo.push(() => claims.release(claim, this.context));
  }

  async #reserve(bytes: bigint, earlier: Reservation | undefined): Promise<Reservation> {
    const { storage } = this.services;
    const context = step(this.context, 'reserve');
    if (earlier) this.#undo.push(() => storage.release(earlier, context));
    const subject = subjectOf(this.repository);
    const request = { objectId: String(this.repositoryId), subject, bytes };
    const reservation = earlier
      ? await storage.renew(earlier, context, bytes)
      : await storage.reserve(this.repository.ownerId, request, context);
    this.#undo.push(() => storage.release(reservation, context));
    return reservation;
  }

  /** Before the repository exists, so that it never is without its labels. */
  async #label(): Promise<void> {
    const { services, repositoryId, repository, context } = this;
    const asked = repository.labels ?? [];
    for (let first = 0; first < asked.length; first += LABELS_AT_ONCE) {
      const labels = [];
      for (const label of asked.slice(first, first + LABELS_AT_ONCE))
        labels.push({ labelId: await services.ids.next('label'), label });
      const command = { type: 'CreateLabels', data: { labels, at: context.at } } as const;
      const own = step(context, `labels from ${first}`);
      await services.commands.begin(RepositoryLabels, repositoryId, command, own);
    }
  }

  #describe({ refs, first }: Filled): Promise<readonly RefUpdate[]> {
    if (refs.size === 0) return Promise.resolve([]);
    const changes = [...refs].map(([ref, after]) => ({ ref, before: null, after }));
    if (first) return describeFirst(this.services, this.repositoryId, changes, first);
    return describeRefs(this.services, this.repositoryId, Repository.initialState.refs, changes);
  }

  /** The events of what was put in come before that of the creation, except for the last of them. */
  async #commit(settings: RepositorySettings, updates: readonly RefUpdate[]): Promise<Position> {
    const { services, repositoryId, repository, context } = this;
    const { at, commandId: pushId } = context;
    const rounds = roundsOf(updates);
    const last = rounds.pop() ?? [];
    if (rounds.length > 0) this.#undo.push(() => this.#abandon());
    for (const [index, round] of rounds.entries()) {
      const fill = { type: 'FillRefs', data: { pushId, updates: round, at } } as const;
      await services.commands.handle(Repository, repositoryId, fill, step(context, `refs, round ${index}`));
    }
    const { trustModel = 'default', takings, ...facts } = withoutLabels(repository);
    const data = {
      ...facts,
      ...takings,
      trustModel,
      settings,
      objectFormat: 'sha1',
      refs: { pushId, updates: last },
      createdAt: at,
    } as const;
    const create = { type: 'CreateRepository', data } as const;
    return (await services.commands.begin(Repository, repositoryId, create, context)).position;
  }

  /** Says of the refs that the log has already that they count for nothing. */
  #abandon(): Promise<unknown> {
    const { services, repositoryId, context } = this;
    const data = { holds: false, at: context.at };
    const command = { type: 'AbandonClaim', data } as const;
    return services.commands.handle(Repository, repositoryId, command, step(context, 'abandon'));
  }
}

/** Whoever deletes a base looks for its forks after that, and this looks for the base after the fork: one finds the other. */
async function detachFromWhatIsGone(
  { commands }: RepositoryServices,
  repositoryId: number,
  baseId: number | undefined,
  context: CommandContext,
): Promise<Position> {
  if (baseId === undefined) return START;
  if ((await commands.load(Repository, baseId)).state.status === 'exists') return START;
  const command = { type: 'DetachRepository', data: { at: context.at } } as const;
  return (await commands.handle(Repository, repositoryId, command, step(context, 'detach'))).position;
}

/** What the repository's own stream says of it: labels have another. */
function withoutLabels(repository: NewRepository): Omit<NewRepository, 'labels'> {
  const facts = { ...repository };
  delete facts.labels;
  return facts;
}

/** As `Promise.all`, but rejects only once nothing is under way any more: what was done can then be undone. */
async function allDone<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(work);
  } finally {
    await Promise.allSettled(work);
  }
}

/** The repository that an earlier attempt of this very command created, where its answer was lost. */
export async function createdBefore(
  { log }: Pick<RepositoryServices, 'log'>,
  context: CommandContext,
): Promise<CreatedRepository | undefined> {
  const id = attemptedId(Repository, context);
  return id === undefined ? undefined : createdEarlier(log, Number(id), context);
}

/** The repository, where this very command created it before and the answer was lost. */
async function createdEarlier(
  log: EventLog,
  repositoryId: number,
  { commandId, repeatable }: CommandContext,
): Promise<CreatedRepository | undefined> {
  if (!repeatable) return undefined;
  const created = await findCreation(log, repositoryId);
  if (created?.metadata.$causationId !== commandId) return undefined;
  return { repositoryId, position: created.position };
}
