import { QuotaExceeded } from '../../domain/quota/quota-exceeded.js';
import type { StorageLedgerCommand } from '../../domain/quota/storage-ledger.js';
import type { QuotaFacts } from '../../domain/quota/storage-ledger-messages.js';
import { later } from '../../event-store/event-store.js';
import type { CommandContext } from '../context.js';
import { asFact, isDeparture, type Outcome } from './overdue.js';
import type { OverdueReservations } from './overdue-reservations.js';
import type { OwnerLedgers, Recorded } from './owner-ledgers.js';

/** Decides whether an owner has room for more, on the limits at the time of each attempt. */
export class Room {
  constructor(
    private readonly ledgers: OwnerLedgers,
    private readonly overdue: OverdueReservations,
    private readonly onRefused: ((refused: QuotaExceeded, context: CommandContext) => void) | undefined,
  ) {}

  /**
   * Runs a command that is refused with `QuotaExceeded` if there is no room. What lapsed reservations hold does not count,
   * and they are ended with it; the caller's own reservation `mine` stays open.
   */
  async decide(
    ownerId: number,
    context: CommandContext,
    command: (quota: QuotaFacts, at: string) => StorageLedgerCommand,
    mine?: string,
  ): Promise<Recorded> {
    let outcomes: readonly Outcome[] = [];
    const attempt = async () => {
      const at = this.ledgers.at();
      const ledger = await this.ledgers.load(ownerId);
      outcomes = await this.overdue.outcomesIn(ledger.state, ownerId, at, mine);
      const settled = outcomes.filter((outcome) => !isDeparture(outcome)).map(asFact);
      const limits = await this.ledgers.limits(ownerId);
      return command({ ...limits, position: later(limits.position, ledger.position), overdue: settled }, at);
    };
    const decide = () => this.ledgers.handle(ownerId, attempt, context);
    // What a refusal was decided on is recorded before it, so that the position of the decision stands for the same state.
    const decideAnew = async (error: unknown) => {
      if (!(error instanceof QuotaExceeded) || outcomes.length === 0 || mine !== undefined) throw error;
      await this.overdue.settle(ownerId, context);
      return decide();
    };
    const decided = await decide()
      .catch(decideAnew)
      .catch((error: unknown) => {
        if (error instanceof QuotaExceeded) this.onRefused?.(error, context);
        throw error;
      });
    if (!outcomes.some(isDeparture)) return decided;
    return { ...decided, position: await this.overdue.settle(ownerId, context) };
  }
}
