import { evaluate, findingsOf, verdictOf, type QuotaGroup, type Refusal } from './evaluation.js';
import type { StorageLedgerEvent } from './storage-ledger-messages.js';
import { evolveLedger, reservedUsage, type StorageLedgerState } from './storage-ledger-state.js';
import { roomFor } from './storage-reservations.js';
import { plus, usageSubjects, type QuotaSubject, type Usage } from './subjects.js';

/** A rule whose limit is below what an account stores. */
export interface OverLimit extends Refusal {
  readonly subjects: readonly QuotaSubject[];
  readonly overBy: bigint;
}

/**
 * Returns the rules whose limits an account would exceed: all that would refuse even an addition of 0 bytes, where no
 * group allows it.
 */
export function overLimits(groups: readonly QuotaGroup[], usage: Usage): readonly OverLimit[] {
  const over = new Map<string, OverLimit>();
  for (const leaf of usageSubjects) {
    const findings = findingsOf(groups, usage, leaf, 0n);
    if (verdictOf(findings).allowed) continue;
    for (const { group, rules } of findings)
      for (const { rule, used, passes } of rules) {
        if (passes !== false) continue;
        const { name, limit, subjects } = rule;
        const overBy = used - limit;
        over.set(`${group.name}\n${name}`, { group: group.name, rule: name, subjects, limit, used, overBy });
      }
  }
  return [...over.values()];
}

/** The result of replaying one event of a ledger under other limits. */
export interface Replayed {
  readonly state: StorageLedgerState;
  /** Whether the event records that room was requested and granted. */
  readonly isOperation: boolean;
  /** The refusal that the request would have got; absent if it would have been allowed. */
  readonly refused?: Refusal & { readonly subject: QuotaSubject; readonly size: bigint };
}

/**
 * Replays an event of a ledger: decides on the room that was granted, then applies the event as it was recorded, except
 * for bytes that were reserved ahead of the need. Requests that would have been refused still count as stored, so that
 * each one is judged by what was really there.
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
  const { subject, size, sizeUnknown } = asked;
  const usage = plus(state.usage, reservedUsage(state));
  const verdict = evaluate(groups, usage, subject, sizeUnknown ? undefined : size);
  return verdict.allowed ? next : { ...next, refused: { ...verdict.refusals[0], subject, size } };
}

/** Drops the bytes that a renewal reserved ahead: nobody was ever refused because of them. They count once needed. */
function withoutAhead(event: StorageLedgerEvent): StorageLedgerEvent {
  if (event.type !== 'ReservationRenewed' || event.data.needed === undefined) return event;
  return { ...event, data: { ...event.data, bytes: event.data.needed } };
}

/** Returns the bytes that enforcement checked: at least one; of a renewal, those that it added. Undefined for none. */
function roomAsked(
  { reservations }: StorageLedgerState,
  { type, data }: StorageLedgerEvent,
): { readonly subject: QuotaSubject; readonly size: bigint; readonly sizeUnknown?: boolean } | undefined {
  if (type === 'StorageReserved') {
    const { subject, bytes, sizeUnknown = false } = data;
    return { subject, size: roomFor(bytes), sizeUnknown };
  }
  if (type !== 'ReservationRenewed') return undefined;
  const more = BigInt(data.bytes) - (reservations.get(data.reservationId)?.bytes ?? 0n);
  return more > 0n ? { subject: data.subject, size: more } : undefined;
}
