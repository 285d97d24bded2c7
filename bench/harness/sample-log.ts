import { randomUUID } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import type { Message } from '../../src/domain/decider.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { PostgresEventStore } from '../../src/event-store/postgres/postgres-event-store.js';
import { Vault } from '../../src/vault/vault.js';
import type { Bench } from './question.js';

const EVENTS_AN_APPEND = 100;
const APPENDS_AT_ONCE = 20;
const AT = '2026-01-01T00:00:00.000Z';

const VAULT_KEY = Buffer.alloc(32, 'bench');

/** The event log of a database in PostgreSQL, with keys from its vault, none of them in memory yet. */
export function openLog(bench: Pick<Bench, 'onEnd'>, url: string): EventLog {
  const database = new Database({ url, applicationName: 'bench' });
  const store = new PostgresEventStore({ url });
  bench.onEnd(() => Promise.all([store.close(), database.close()]));
  return new EventLog({ store, people: new Vault({ database, key: VAULT_KEY }).people });
}

/** Appends `count` events, `eventAt(0)` first; by an actor whose name is a personal field only where one is given. */
export async function fillLog(
  log: EventLog,
  count: number,
  eventAt: (index: number) => Message,
  actor?: { readonly id: number; readonly name: string },
): Promise<void> {
  let next = 0;
  const append = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(from + EVENTS_AN_APPEND, count);
      const events = Array.from({ length: next - from }, (_, index) => eventAt(from + index));
      const metadata = {
        ...(actor && { actor }),
        $correlationId: randomUUID(),
        requestId: randomUUID(),
        at: AT,
      };
      await log.append(`bench-${randomUUID()}`, 'noStream', events, metadata, randomUUID());
    }
  };
  await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, append));
}

/** An event without personal fields. */
export const added = (index: number): Message => ({
  type: 'AddedToQuotaGroup',
  data: { groupId: index, groupName: `group ${index % 100}`, addedAt: AT },
});

/** An event with four personal fields. */
export const accountCreated = (index: number): Message => ({
  type: 'AccountCreated',
  data: {
    accountId: index + 1,
    name: `user-${index}`,
    email: `user-${index}@example.org`,
    fullName: `The user with number ${index}`,
    loginName: '',
    kind: 'user',
    sourceId: 0,
    visibility: 'public',
    restricted: false,
    mustChangePassword: false,
    createdAt: AT,
  },
});
