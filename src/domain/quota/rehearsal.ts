import { evaluate, type QuotaGroup, type Refusal } from './evaluation.js';
import type { StorageLedgerEvent } from './storage-ledger-messages.js';
import { evolveLedger, reservedUsage, type StorageLedgerState } from './storage-ledger-state.js';
import { plus, usageSubjects, type QuotaSubject, type Usage } from './subjects.js';

/** A rule that would not hold what an account stores. */
export interface OverLimit extends Refusal {
  readonly subjects: readonly QuotaSubject[];
  readonly overBy: bigint;
}

/** The rules that an account would be over: those that would refuse it even nothing more. */
export function overLimits(groups: readonly QuotaGroup[], usage: Usage): readonly OverLimit[] {
  const over = new Map<string, OverLimit>();
  for (const leaf of usageSubjects) {
    const verdict = evaluate(groups, usage, leaf, 0n);
    if (verdict.allowed) continue;
    for (const refusal of verdict.refusals) {
      const { group, rule, used, limit } = refusal;
      const subjects =
        groups.find(({ name }) => name === group)?.rules.find(({ name }) => name === rule)?.subjects ?? [];
      over.set(`${group}\n${rule}`, { ...refusal, subjects, overBy: used - limit });
    }
  }
  return [...over.values()];
}

/** What came of one event of a ledger when it is played again under other limits. */
export interface Replayed {
  readonly state: StorageLedgerState;
  /** Whether the event tells that room was asked for, and given. */
  readonly isOperation: boolean;
  /** Where it would have been refused. */
  readonly refused?: Refusal & { readonly subject: QuotaSubject; readonly size: bigint };
}

/**
 * Plays an event of a ledger again: decides on the room that it tells was given, then takes it as it was, but for what was
 * kept ahead of the need. What would have been refused is counted as stored nevertheless, so that each operation is judged
 * by what really was there.
 */
export function replay(
  state: StorageLedgerState,
  recorded: StorageLedgerEvent,
  groups: readonly QuotaGroup[],
): Replayed {
  const event = withoutAhead(recorded);
  const asked = roomAsked(state, event);
  const next = { state: evolveLedger(state, event), isOperation: asked !== undefined };
  if (!asked) return next;
  const { subject, size } = asked;
  const verdict = evaluate(groups, plus(state.usage, reservedUsage(state)), subject, size);
  return verdict.allowed ? next : { ...next, refused: { ...verdict.refusals[0], subject, size } };
}

/** What is needed later of the room that was kept ahead counts where it is needed: nobody was refused for its sake before. */
function withoutAhead(event: StorageLedgerEvent): StorageLedgerEvent {
  if (event.type !== 'ReservationRenewed' || event.data.needed === undefined) return event;
  return { ...event, data: { ...event.data, bytes: event.data.needed } };
}

/** As enforcement asked: at least a byte, and of a renewal what it adds. */
function roomAsked(
  { reservations }: StorageLedgerState,
  { type, data }: StorageLedgerEvent,
): { readonly subject: QuotaSubject; readonly size: bigint } | undefined {
  if (type === 'StorageReserved') return { subject: data.subject, size: BigInt(data.bytes) || 1n };
  if (type !== 'ReservationRenewed') return undefined;
  const more = BigInt(data.bytes) - (reservations.get(data.reservationId)?.bytes ?? 0n);
  return more > 0n ? { subject: data.subject, size: more } : undefined;
}
