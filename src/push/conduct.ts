import { step, type CommandContext } from '../commands/context.js';
import { editRepository, type EditServices } from '../commands/repositories/edit-repository.js';
import { countAlone } from '../commands/repositories/roll-forward.js';
import { pushRefs, type RefServices } from '../commands/repositories/update-refs.js';
import { unlessRefused } from '../commands/unless-refused.js';
import { DomainError } from '../domain/errors.js';
import type { RefChange } from '../domain/repositories/refs.js';
import type { Position } from '../event-store/event-store.js';
import { GitLimitExceeded, GitRepositoryMissing } from '../git/port/errors.js';
import { judge, type Admission, type ArrivedPush, type Judgement } from './judge.js';
import { settingsAsked } from './options.js';
import { FLUSH, linePacket, packet } from './pkt-line.js';
import { PushRefused } from './refused.js';
import { WireBroken, type Wire } from './wire.js';

/** What judges a push, moves its refs and edits what its options ask for, and what waits until reads show it. */
export interface PushServices extends RefServices, EditServices {
  /** Resolves when a read would show what happened up to a position, or after a while. */
  readonly visible: (position: Position) => Promise<unknown>;
}

/**
 * One push: `admission` asks for the right to it once it has arrived, and before its refs move; `context` goes with what
 * is recorded of it.
 */
export interface Push {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly admission: Admission;
  readonly context: CommandContext;
}

/** What a failure of ours is called; whoever pushes can see by a fetch how far it came. */
const FAILED = 'the push failed on the server: fetch, and try again';

/**
 * Decides what becomes of one push, while git carries it out: whether it is taken at all, before any ref moves and while
 * its objects can still be dropped, and then moves the refs in git's place. Resolves when git says no more; rejects with
 * what went wrong on our side, which git has been told of in general words.
 */
export async function conductPush(services: PushServices, wire: Wire, push: Push): Promise<void> {
  try {
    const arrived = await arrival(wire, push.repositoryId);
    if (!arrived) return; // nothing that could be decided on
    const judgement = await verdict(services, wire, arrived, push);
    if (judgement) await move(services, wire, push, arrived.options, judgement);
  } catch (error) {
    if (!(error instanceof WireBroken)) throw error;
  } finally {
    wire.end();
  }
}

/** Of all lines together: some 300,000 refs and options, which is more than anybody has to move at once. */
const MAX_SAID_BYTES = 32 * 1024 * 1024;

/** What `hooks/pre-receive` tells. It hears nothing before it has said all: what cannot be read is refused after that. */
async function arrival(wire: Wire, repositoryId: number): Promise<ArrivedPush | undefined> {
  const quarantinePath = await wire.line();
  if (quarantinePath === undefined) return undefined;
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of wire.lines()) {
    bytes += line.length;
    if (bytes <= MAX_SAID_BYTES) lines.push(line);
  }
  if (bytes > MAX_SAID_BYTES) {
    refuse(wire, 'too many refs for one push');
    return undefined;
  }
  const said = (kind: 'option ' | 'change ') =>
    lines.filter((line) => line.startsWith(kind)).map((line) => line.slice(kind.length));
  try {
    return { repositoryId, changes: said('change ').map(changeOf), options: said('option '), quarantinePath };
  } catch (error) {
    if (!(error instanceof WireBroken)) throw error;
    refuse(wire, 'the name of a ref holds the end of a line');
    return undefined;
  }
}

/** Undefined where the push is refused. */
async function verdict(
  services: PushServices,
  wire: Wire,
  arrived: ArrivedPush,
  { admission, context }: Push,
): Promise<Judgement | undefined> {
  try {
    const judgement = await judge(services, arrived, admission, context);
    wire.send('ok\n');
    return judgement;
  } catch (error) {
    const reason = reasonOf(error);
    refuse(wire, reason ?? FAILED);
    if (reason !== undefined) return undefined;
    throw error;
  }
}

/** Why a push is not taken; undefined where that is nobody's fault but ours. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof PushRefused || error instanceof DomainError) return error.message;
  if (error instanceof GitLimitExceeded && error.limit === 'bytes') return error.message;
  return error instanceof GitRepositoryMissing ? 'the repository is not there any more' : undefined;
}

const refuse = (wire: Wire, reason: string) => {
  wire.send(`Tallyforge: ${reason.replaceAll('\n', ' ')}\n`);
};

/** Speaks with `hooks/proc-receive`. Whatever happens, what the objects take is counted: they are in the repository. */
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
    if (!isCounted) await countAlone(services, push.repositoryId, reservation);
  }
}

interface Orders {
  readonly changes: readonly RefChange[];
  readonly atomic: boolean;
}

async function ordersOf(wire: Wire): Promise<Orders> {
  const [version = '', features = ''] = ((await wire.packet()) ?? '').split('\0');
  if (version !== 'version=1' || (await wire.packet()) !== undefined)
    throw new WireBroken('another protocol');
  wire.send(packet('version=1\n') + FLUSH);
  const changes: RefChange[] = [];
  for await (const line of wire.packets()) changes.push(changeOf(line));
  return { changes, atomic: features.split(' ').includes('atomic') };
}

/** Why refs did not move, by ref. */
async function carryOut(
  services: PushServices,
  { repositoryId, pusherId, context }: Push,
  { changes, atomic }: Orders,
  judgement: Judgement,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map(
    changes.filter(({ ref }) => isReserved(ref)).map(({ ref }) => [ref, 'this ref is for the server alone']),
  );
  const open = atomic && reasons.size > 0 ? [] : changes.filter(({ ref }) => !reasons.has(ref));
  const update = { repositoryId, pusherId, changes: open, atomic, ...judgement };
  const { refused, position } = await pushRefs(services, update, context);
  for (const [ref, { message }] of refused) reasons.set(ref, message);
  if (atomic && reasons.size > 0)
    for (const { ref } of changes)
      if (!reasons.has(ref)) reasons.set(ref, 'others of this atomic push cannot move');
  await services.visible(position);
  return reasons;
}

/**
 * What an accepted push says of the repository holds with it, unless that was archived or deleted since: the refs have
 * moved by then, and they are what the client is told of.
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

/** Kept for pull requests, which nobody can make yet. */
const isReserved = (ref: string) => /^refs\/(pull|for)(\/|$)/.test(ref);

function report(wire: Wire, { changes }: Orders, reasonOf: (ref: string) => string | undefined): void {
  for (const { ref } of changes) {
    const reason = reasonOf(ref);
    wire.send(linePacket(reason === undefined ? `ok ${ref}` : `ng ${ref} ${reason}`));
  }
  wire.send(FLUSH);
}

const NOTHING = '0'.repeat(40);

/** `before after ref`, as hooks are told. */
function changeOf(line: string): RefChange {
  const [, before, after, ref] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s.exec(line) ?? [];
  if (before === undefined || after === undefined || ref === undefined)
    throw new WireBroken('no change of a ref');
  return { ref, before: before === NOTHING ? null : before, after: after === NOTHING ? null : after };
}
