import { Turns } from '../concurrency/turns.js';
import type { Queryable } from '../database/queryable.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { invalid } from '../domain/errors.js';
import type { QuotaGroup } from '../domain/quota/evaluation.js';
import type { ProposedLimits } from '../domain/quota/proposal.js';
import { replay, type Replayed } from '../domain/quota/rehearsal.js';
import { emptyLedger, type StorageLedgerState } from '../domain/quota/storage-ledger-state.js';
import { StorageLedger, type StorageLedgerEvent } from '../domain/quota/storage-ledger.js';
import { eventsBetween, readable } from '../event-log/events-between.js';
import type { Position } from '../event-store/event-store.js';
import { findGroupNames, findReserved, findStored } from '../queries/quota/rehearsal.js';
import { LISTED, type Listed } from './listed.js';
import type { RehearsalOptions, RehearsalServices } from './rehearse.js';

type Refused = NonNullable<Replayed['refused']> & {
  readonly at: string;
  readonly position: Position;
  readonly accountId: number;
};

interface Account {
  state: StorageLedgerState;
  readonly groups: readonly QuotaGroup[];
}

/** How many events are collected before new accounts among them are looked up together. */
const CHUNK = 500;

/** Replays the operations since a moment under other limits. */
export async function replayed(
  { db, log }: RehearsalServices,
  limits: ProposedLimits,
  { position, since, maxEvents = Infinity }: RehearsalOptions,
): Promise<{ readonly operations: number; readonly refused: Listed<Refused> }> {
  const start = await log.positionAt(since);
  const accounts = new Map<number, Account>();
  const list: Refused[] = [];
  let [operations, total, events] = [0, 0, 0];
  const turns = new Turns();

  const play = (event: DomainEvent<StorageLedgerEvent>) => {
    const accountId = Number(event.streamId);
    const account = accounts.get(accountId);
    if (!account) throw new Error(`account ${accountId} was not looked up`);
    const { state, isOperation, refused } = replay(account.state, event, account.groups);
    account.state = state;
    if (isOperation) operations += 1;
    if (!refused) return;
    total += 1;
    const { recordedAt, position } = event;
    if (list.length < LISTED) list.push({ at: recordedAt.toISOString(), position, accountId, ...refused });
  };
  const playAll = async (chunk: readonly DomainEvent<StorageLedgerEvent>[]) => {
    const met = new Set(chunk.map(({ streamId }) => Number(streamId)));
    const unknown = [...met].filter((id) => !accounts.has(id));
    for (const [id, account] of await accountsAt(db, limits, unknown, { start, position }))
      accounts.set(id, account);
    for (const event of chunk)
      await turns.take(() => {
        play(event);
      });
  };

  let chunk: DomainEvent<StorageLedgerEvent>[] = [];
  for await (const event of eventsBetween(log, start, position)) {
    if ((events += 1) > maxEvents)
      throw invalid(
        'quota_rehearsal.days',
        'Days',
        `more than ${maxEvents} events: npm run rehearse takes them`,
      );
    if (!event.stream.startsWith(`${StorageLedger.category}-`)) continue;
    chunk.push(readable(event as DomainEvent<StorageLedgerEvent>));
    if (chunk.length < CHUNK) continue;
    await playAll(chunk);
    chunk = [];
  }
  await playAll(chunk);
  return { operations, refused: { list, total } };
}

/** Loads the state of accounts at the start of the replay, each with the groups that it would be in. */
async function accountsAt(
  db: Queryable,
  limits: ProposedLimits,
  ids: readonly number[],
  { start, position }: { readonly start: Position; readonly position: Position },
): Promise<[id: number, account: Account][]> {
  const [stored, reserved, groups] = await Promise.all([
    findStored(db, ids, start),
    findReserved(db, ids, start),
    findGroupNames(db, ids, position),
  ]);
  return ids.map((id) => {
    const usage = { ...emptyLedger.usage, ...stored.get(id) };
    const reservations = emptyLedger.reservations.withMutations((open) => {
      for (const row of reserved)
        if (row.account_id === id)
          open.set(row.reservation_id, {
            objectId: row.object_id,
            subject: row.subject,
            bytes: BigInt(row.bytes),
            expiresAt: row.expires_at.toISOString(),
          });
    });
    const state = { ...emptyLedger, usage, reservations };
    return [id, { state, groups: limits.groupsOf(id, groups.get(id) ?? new Set()) }];
  });
}
