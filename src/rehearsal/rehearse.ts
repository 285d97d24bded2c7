import type { Queryable } from '../database/queryable.js';
import { accountNameKey } from '../domain/accounts/names.js';
import { quotaGroups } from '../domain/quota/groups.js';
import { ProposedLimits, type QuotaProposal } from '../domain/quota/proposal.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../domain/quota/quota-catalogue.js';
import type { QuotaSubject } from '../domain/quota/subjects.js';
import type { EventLog } from '../event-log/event-log.js';
import { foldAsOf } from '../event-log/fold-as-of.js';
import type { Position } from '../event-store/event-store.js';
import { findAccountIds } from '../queries/accounts/accounts.js';
import { findAccountNames } from '../queries/quota/rehearsal.js';
import { accountsOver } from './accounts-over.js';
import { replayed } from './replayed.js';

/** What a rehearsal reads from; it never writes. */
export interface RehearsalServices {
  /** The database with the read models `quota` and `accounts`. */
  readonly db: Queryable;
  readonly log: Pick<EventLog, 'readStream' | 'subscribe' | 'lastPosition' | 'positionAt'>;
}

/** The section of the log that is replayed: from `since` to `position`. */
export interface RehearsalOptions {
  /** The position of the read models, which show the present state. */
  readonly position: Position;
  /** The time from which operations are replayed. */
  readonly since: Date;
  /** The maximum number of replayed events; more throw. Unlimited by default. */
  readonly maxEvents?: number;
}

interface Person {
  readonly id: number;
  /** Null if the account is gone. */
  readonly name: string | null;
}

/** A rule that an account would exceed; sizes are in bytes. */
interface Over {
  readonly user: Person;
  readonly group: string;
  readonly rule: string;
  readonly subjects: readonly QuotaSubject[];
  readonly limit: bigint;
  readonly used: bigint;
  readonly over_by: bigint;
}

/** An operation that was allowed and would be refused. */
interface WouldBeRefused {
  readonly at: string;
  readonly position: Position;
  readonly user: Person;
  readonly subject: QuotaSubject;
  /** The requested bytes. */
  readonly size: bigint;
  readonly used: bigint;
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
}

/** The answer of a rehearsal, in the API's form. Lists are limited to 1,000 items; the totals count all. */
export interface Rehearsal {
  readonly position: Position;
  readonly since: string;
  /** The number of replayed reservations. */
  readonly operations: number;
  readonly over_total: number;
  /** Sorted by excess, in descending order. */
  readonly over: readonly Over[];
  readonly refused_total: number;
  /** Sorted from the oldest. */
  readonly refused: readonly WouldBeRefused[];
}

/**
 * Computes the effect of a proposal: which accounts would exceed a limit with what they store now, and which operations
 * since `since` it would have refused, with the present memberships. Changes nothing. Throws a `DomainError` if the
 * proposal names something that does not exist, or if more than `maxEvents` events would have to be read.
 *
 * Memory: the state of accounts that stored something since then, and two full lists. Time: one pass over all accounts
 * that store anything, and one over the events since then.
 */
export async function rehearse(
  { db, log }: RehearsalServices,
  proposal: QuotaProposal,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const { position, since } = options;
  const { rules, defaults, ...catalogue } = await foldAsOf(log, QuotaCatalogue, QUOTA_CATALOGUE, position);
  const named = (proposal.groups ?? []).flatMap(({ members = [] }) => members.map(accountNameKey));
  const limits = new ProposedLimits(
    {
      rules: [...rules.values()].map((rule) => ({ ...rule, limit: BigInt(rule.limit) })),
      groups: quotaGroups({ rules, defaults, ...catalogue }),
      defaults: { groups: defaults.groups, total: BigInt(defaults.total) },
    },
    proposal,
    await findAccountIds(db, [...new Set(named)]),
  );
  const over = await accountsOver(db, limits, position);
  const past = await replayed({ db, log }, limits, options);
  const ids = new Set([...over.list, ...past.refused.list].map(({ accountId }) => accountId));
  const names = await findAccountNames(db, [...ids]);
  const person = (id: number): Person => ({ id, name: names.get(id) ?? null });
  return {
    position,
    since: since.toISOString(),
    operations: past.operations,
    over_total: over.total,
    over: over.list.map(({ accountId, overBy, ...rest }) => ({
      user: person(accountId),
      ...rest,
      over_by: overBy,
    })),
    refused_total: past.refused.total,
    refused: past.refused.list.map(({ accountId, ...rest }) => ({ user: person(accountId), ...rest })),
  };
}
