import type { Queryable } from '../database/database.js';
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

/** What a rehearsal reads; it writes to neither. */
export interface RehearsalServices {
  /** With the read models `quota` and `accounts`. */
  readonly db: Queryable;
  readonly log: Pick<EventLog, 'readStream' | 'subscribe' | 'positionAt'>;
}

/** The stretch of the log that is played again: from `since` to `position`. */
export interface RehearsalOptions {
  /** Where the read models are: what is there now. */
  readonly position: Position;
  /** From when on operations are played again. */
  readonly since: Date;
  /** Throws before more events than this are played again; no limit by default. */
  readonly maxEvents?: number;
}

interface Person {
  readonly id: number;
  /** Null where the account is gone. */
  readonly name: string | null;
}

/** A rule that an account is over: by name, in bytes. */
interface Over {
  readonly user: Person;
  readonly group: string;
  readonly rule: string;
  readonly subjects: readonly QuotaSubject[];
  readonly limit: bigint;
  readonly used: bigint;
  readonly over_by: bigint;
}

/** An operation that was allowed then and would not have been. */
interface WouldBeRefused {
  readonly at: string;
  readonly position: Position;
  readonly user: Person;
  readonly subject: QuotaSubject;
  /** Bytes asked for. */
  readonly size: bigint;
  readonly used: bigint;
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
}

/** As the API gives it. Lists hold 1,000 at most, with the whole number beside them. */
export interface Rehearsal {
  readonly position: Position;
  readonly since: string;
  /** Reservations that were played again. */
  readonly operations: number;
  readonly over_total: number;
  /** The most over first. */
  readonly over: readonly Over[];
  readonly refused_total: number;
  /** The oldest first. */
  readonly refused: readonly WouldBeRefused[];
}

/**
 * What a proposal would come to: who would be over a limit by what is stored now, and which operations since `since`
 * would have been refused, had it been in force, with the memberships as they are now. Changes nothing. Throws a
 * `DomainError` where the proposal names what there is not, or more than `maxEvents` would have to be read.
 *
 * Memory: what accounts that stored something since then have, and two full lists. Time: one pass over the accounts
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
