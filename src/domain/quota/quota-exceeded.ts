import { DomainError } from '../errors.js';
import type { QuotaSubject } from './subjects.js';

/** Why an account got no storage: the first rule that refused, and what it saw. */
export interface QuotaReason {
  readonly group: string;
  readonly rule: string;
  /** What was to grow. */
  readonly subject: QuotaSubject;
  /** Bytes. */
  readonly limit: bigint;
  /** Bytes under the subjects of the rule, with what others have reserved. */
  readonly used: bigint;
  /** Bytes asked for; null while they are not known, when there must be room left. */
  readonly incoming: bigint | null;
  /** What was decided on: the newest event among the account itself, its limits, memberships and usage. */
  readonly position: bigint;
}

/** An account may not store more. It is the owner of what would grow, whoever acts. */
export class QuotaExceeded extends DomainError {
  constructor(
    readonly account: { readonly id: number; readonly name: string },
    readonly reason: QuotaReason,
    /** Whether whoever asked may learn what the account stores. */
    readonly isTold = true,
  ) {
    super('quota-exceeded', 'quota.exceeded', 'quota exceeded');
  }

  /** The same for somebody who has nothing to do with the account. */
  untold(): QuotaExceeded {
    return new QuotaExceeded(this.account, this.reason, false);
  }

  /** In one line, for people at a terminal: the whole sum, so that they know what to free, and where to ask why. */
  get explanation(): string {
    const { subject, used, limit, incoming, rule, group, position } = this.reason;
    return `quota exceeded: ${subject} used ${used} + incoming ${incoming ?? 0n} > limit ${limit} (rule ${rule} of group ${group}), decided at position ${position}`;
  }
}
