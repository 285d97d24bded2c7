import { RepositoryLabels } from '../../domain/issues/repository-labels.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import type { RefUpdate } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { RepositorySettings } from '../../domain/repositories/settings.js';
import { later, type Position } from '../../event-store/event-store.js';
import type { Claimable } from '../claimable.js';
import { step, type CommandContext } from '../context.js';
import { orUndo } from '../or-undo.js';
import { checkStays } from '../organizations/check-stays.js';
import type { Reservation } from '../quota/reservation.js';
import { roundsOf } from '../rounds.js';
import { describeFirst, describeRefs } from './describe-refs.js';
import type { CreatedRepository, Fill, Filled, NewRepository, RepositoryServices } from './new-repository.js';
import { forkClaim, repositoryNameClaim } from './repository-claims.js';
import { REFS_AT_ONCE } from './update-refs.js';

/** How many labels one append creates at most. */
const LABELS_AT_ONCE = 500;

/** One attempt to create a repository, under an id of its own. If it fails, its steps are undone. */
export class Creation {
  /** Undoes each of the steps that were done so far. */
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly services: RepositoryServices,
    private readonly repositoryId: number,
    private readonly repository: NewRepository,
    private readonly context: CommandContext,
  ) {}

  /** Rejects as `createRepository` does, and with `ClaimTaken` if another repository has the name or is the owner's fork. */
  run(fill: Fill): Promise<CreatedRepository> {
    return orUndo(this.#undo, () => this.#create(fill));
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
    ]);
    await this.#label();
    const position = await this.#commit(settings, updates);
    this.#undo.length = 0; // the repository exists: no step may be undone any more
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
    const sizeUnknown = !isCopy(this.repository);
    const request = { objectId: String(this.repositoryId), subject, bytes, sizeUnknown };
    const reservation = earlier
      ? await storage.renew(earlier, context, bytes)
      : await storage.reserve(this.repository.ownerId, request, context);
    this.#undo.push(() => storage.release(reservation, context));
    return reservation;
  }

  /**
   * Creates the labels. Runs before the repository exists, so that nobody sees the repository without them, and once it
   * has room, because they stay in the log.
   */
  async #label(): Promise<void> {
    const { services, repositoryId, repository, context } = this;
    const rounds = roundsOf(repository.labels ?? [], LABELS_AT_ONCE);
    if (rounds.length > 0) this.#undo.push(() => this.#abandon());
    for (const [index, round] of rounds.entries()) {
      const labels = [];
      for (const label of round) labels.push({ labelId: await services.ids.next('label'), label });
      const command = { type: 'CreateLabels', data: { labels, copied: true, at: context.at } } as const;
      const own = step(context, `labels, round ${index}`);
      await services.commands.begin(RepositoryLabels, repositoryId, command, own);
    }
  }

  #describe({ refs, first }: Filled): Promise<readonly RefUpdate[]> {
    if (refs.size === 0) return Promise.resolve([]);
    const changes = [...refs].map(([ref, after]) => ({ ref, before: null, after }));
    if (first) return describeFirst(this.services, this.repositoryId, changes, first);
    return describeRefs(this.services, this.repositoryId, Repository.initialState, changes);
  }

  /** Records the creation with the refs. If one event cannot hold all refs, the first ones are recorded before it. */
  async #commit(settings: RepositorySettings, updates: readonly RefUpdate[]): Promise<Position> {
    const { services, repositoryId, repository, context } = this;
    const { at, commandId: pushId } = context;
    const rounds = roundsOf(updates, REFS_AT_ONCE);
    const last = rounds.pop() ?? [];
    if (rounds.length > 0) this.#undo.push(() => this.#abandon());
    for (const [index, round] of rounds.entries()) {
      const fill = { type: 'FillRefs', data: { pushId, updates: round, at } } as const;
      await services.commands.handle(Repository, repositoryId, fill, step(context, `refs, round ${index}`));
    }
    // Labels have a stream of their own.
    const { trustModel = 'default', extras, labels: _, ...facts } = repository;
    const data = {
      ...facts,
      ...extras,
      trustModel,
      settings,
      objectFormat: 'sha1',
      refs: { pushId, updates: last },
      createdAt: at,
    } as const;
    const create = { type: 'CreateRepository', data } as const;
    return (await services.commands.begin(Repository, repositoryId, create, context)).position;
  }

  /** Declares the labels and refs that were recorded already to be void. */
  #abandon(): Promise<unknown> {
    const { services, repositoryId, context } = this;
    const data = { holds: false, at: context.at };
    const command = { type: 'AbandonClaim', data } as const;
    return services.commands.handle(Repository, repositoryId, command, step(context, 'abandon'));
  }
}

/** Whether the repository begins with the content of another one, and may be of any size. */
const isCopy = ({ baseId, templateId, originalUrl }: NewRepository): boolean =>
  baseId !== undefined || templateId !== undefined || originalUrl !== undefined;

/** Like `Promise.all`, but rejects only after all promises have settled, so that what they did can then be undone. */
async function allDone<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(work);
  } finally {
    await Promise.allSettled(work);
  }
}
