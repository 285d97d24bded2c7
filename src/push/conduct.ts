import { step, type CommandContext } from '../commands/context.js';
import { editRepository, type EditServices } from '../commands/repositories/edit-repository.js';
import { countAlone } from '../commands/repositories/count-storage.js';
import { pushRefs, type RefServices } from '../commands/repositories/update-refs.js';
import { unlessRefused } from '../commands/unless-refused.js';
import { DomainError } from '../domain/errors.js';
import type { Position } from '../event-store/event-store.js';
import { GitLimitExceeded, GitRepositoryMissing } from '../git/port/errors.js';
import { arrival, ordersOf, refuse, report, type Orders } from './dialogue.js';
import { judge, type Admission, type ArrivedPush, type Judgement } from './judge.js';
import { settingsAsked } from './options.js';
import { PushRefused } from './refused.js';
import { afterSamePack } from './same-pack.js';
import { WireBroken, type Wire } from './wire.js';

/** The services that judge a push, move its refs, apply its options, and wait until reads show the result. */
export interface PushServices extends RefServices, EditServices {
  /** Resolves when reads show what happened up to a position, or after a timeout. */
  readonly visible: (position: Position) => Promise<unknown>;
}

/**
 * A push. `named` counts the refs that its client named; `admission` checks the right to push once it has arrived, and again
 * before its refs move; `context` is that of the commands that record it; `ended` is settled once git's program has ended.
 */
export interface Push {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly named: { readonly count: number };
  readonly admission: Admission;
  readonly context: CommandContext;
  readonly ended: Promise<unknown>;
}

/** The message for failures on our side. The client can find out by a fetch how far the push came. */
const FAILED = 'the push failed on the server: fetch, and try again';
const GONE = 'the repository is not there any more';

/**
 * Conducts a push in dialogue with git's hooks: first decides whether to accept it, while its objects can still be dropped,
 * and then moves the refs instead of git. Resolves when the dialogue is over; rejects with an error on our side, of which
 * git has been told in general terms.
 */
export async function conductPush(services: PushServices, wire: Wire, push: Push): Promise<void> {
  try {
    const arrived = await arrival(wire, push.repositoryId);
    if (!arrived) return; // there is nothing to decide about
    const judgement = await verdict(services, wire, arrived, push);
    if (judgement) await move(services, wire, push, arrived.options, judgement);
  } catch (error) {
    if (!(error instanceof WireBroken)) throw error;
  } finally {
    wire.end();
  }
}

/** Judges the push and tells the hook; undefined if it is refused. */
async function verdict(
  services: PushServices,
  wire: Wire,
  arrived: ArrivedPush,
  { admission, context, ended }: Push,
): Promise<Judgement | undefined> {
  try {
    await afterSamePack(arrived.repositoryId, arrived.quarantinePath, ended);
    const signal = abortedAfter(ended);
    const judgement = await judge(services, arrived, { admission, context, signal });
    wire.send('ok\n'); // nothing may fail in between, or nobody would release what is reserved
    return judgement;
  } catch (error) {
    // A deletion takes the objects away at any moment, and fails whatever looks at them then.
    const isGone = async () => !(await services.git.exists(arrived.repositoryId));
    const reason = reasonOf(error) ?? ((await isGone()) ? GONE : undefined);
    refuse(wire, reason ?? FAILED);
    if (reason !== undefined) return undefined;
    throw error;
  }
}

/** Returns a signal that is aborted once git's program has ended, as when its client has gone: nobody hears the answer then. */
function abortedAfter(ended: Promise<unknown>): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(new WireBroken('the program of the push has ended'));
  };
  ended.then(abort, abort);
  return controller.signal;
}

/** Returns why a push is refused; undefined for errors on our side. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof PushRefused || error instanceof DomainError) return error.message;
  if (error instanceof GitLimitExceeded && error.limit === 'bytes') return error.message;
  return error instanceof GitRepositoryMissing ? GONE : undefined;
}

/** Moves refs as `hooks/proc-receive` orders. Counts the objects' bytes even if it fails, as they are in the repository. */
async function move(
  services: PushServices,
  wire: Wire,
  push: Push,
  options: readonly string[],
  judgement: Judgement,
): Promise<void> {
  const { reservation } = judgement;
  let isCounted = reservation === undefined;
  try {
    const orders = await ordersOf(wire);
    try {
      const refused = await carryOut(services, push, orders, judgement);
      isCounted = true;
      if (refused.size < orders.changes.length) await applyOptions(services, push, options);
      report(wire, orders, (ref) => refused.get(ref));
    } catch (error) {
      const reason = reasonOf(error);
      report(wire, orders, () => reason ?? FAILED);
      if (reason === undefined) throw error;
    }
  } finally {
    if (!isCounted) await countAlone(services, push.repositoryId, push.context, reservation);
  }
}

/**
 * Moves the refs; returns the reasons of those that did not move, by ref. git orders nothing for refs that it refuses itself,
 * but leaves it to us that the others of an atomic push stay too.
 */
async function carryOut(
  services: PushServices,
  { repositoryId, pusherId, named, context }: Push,
  { changes, atomic }: Orders,
  judgement: Judgement,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map(
    changes.filter(({ ref }) => isReserved(ref)).map(({ ref }) => [ref, 'this ref is for the server alone']),
  );
  const isRefused = reasons.size > 0 || changes.length < named.count;
  const open = atomic && isRefused ? [] : changes.filter(({ ref }) => !reasons.has(ref));
  const update = { repositoryId, pusherId, changes: open, atomic, ...judgement };
  const { refused, position } = await pushRefs(services, update, context);
  for (const [ref, { message }] of refused) reasons.set(ref, message);
  await services.visible(position);
  if (atomic && (isRefused || refused.size > 0))
    for (const { ref } of changes)
      if (!reasons.has(ref)) reasons.set(ref, 'others of this atomic push cannot move');
  return reasons;
}

/**
 * Applies the settings that an accepted push's options ask for. A refusal, because the repository was archived or deleted
 * since, is ignored: the refs have moved by then, and only they are reported to the client.
 */
async function applyOptions(
  services: PushServices,
  { repositoryId, context }: Push,
  options: readonly string[],
): Promise<void> {
  const { isPrivate, isTemplate } = settingsAsked(options);
  if (isPrivate === undefined && isTemplate === undefined) return;
  const edit = {
    settings: isTemplate === undefined ? {} : { isTemplate },
    ...(isPrivate !== undefined && { isPrivate }),
  };
  const edited = await unlessRefused(editRepository(services, repositoryId, edit, step(context, 'options')));
  if (edited) await services.visible(edited.position);
}

/** Tells whether a ref is reserved for pull requests, which are not supported yet. */
const isReserved = (ref: string) => /^refs\/(pull|for)(\/|$)/.test(ref);
