import { DomainError } from '../errors.js';
import type { QuotaSubject } from './subjects.js';

/** Why storage was refused: the first rule that refused, and the numbers that it compared. */
export interface QuotaReason {
  readonly group: string;
  readonly rule: string;
  /** The subject that was to grow. */
  readonly subject: QuotaSubject;
  /** In bytes. */
  readonly limit: bigint;
  /** The bytes under the rule's subjects, including those that others have reserved. */
  readonly used: bigint;
  /** The bytes that were requested; null if not known yet, in which case there must be room left. */
  readonly incoming: bigint | null;
  /** The position of the newest event behind the decision: of the account, its limits, memberships or usage. */
  readonly position: bigint;
}

/** Thrown if an account may not store more. `account` is the owner of what would grow, whoever acts. */
export class QuotaExceeded extends DomainError {
  constructor(
    readonly account: { readonly id: number; readonly name: string },
    readonly reason: QuotaReason,
    /** Whether the caller may know what the account stores. */
    readonly isTold = true,
  ) {
    super('quota-exceeded', 'quota.exceeded', 'quota exceeded');
  }

  /** Returns the same error for a caller that may not know what the account stores. */
  untold(): QuotaExceeded {
    return new QuotaExceeded(this.account, this.reason, false);
  }

  /** One line for a terminal: the whole calculation, which tells how much to free, and the position to ask about. */
  get explanation(): string {
    const { subject, used, limit, incoming, rule, group, position } = this.reason;
    return `quota exceeded: ${subject} used ${used} + incoming ${incoming ?? 0n} > limit ${limit} (rule ${rule} of group ${group}), decided at position ${position}`;
  }
}
