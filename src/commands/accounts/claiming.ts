import { CLAIM_LOST } from '../../domain/accounts/account.js';
import { DomainError } from '../../domain/errors.js';
import { EventStoreUnavailable } from '../../event-store/event-store.js';
import { ClaimTaken, type Claim, type Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { takenField } from './create-account.js';

/** A change whose claims were lost for its slowness starts again, at most so often in all. */
const ATTEMPTS = 3;

/** Runs `work` from the start, in a step of its own, while it loses what it claimed. Refuses what is taken as `invalid`. */
export async function tryAgain<T>(
  context: CommandContext,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === 1 ? context : step(context, `attempt ${attempt}`));
    } catch (error) {
      if (error instanceof ClaimTaken) throw takenField(error);
      const lost = error instanceof DomainError && error.code === CLAIM_LOST;
      if (!lost || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Gives claims up where `work` fails, unless it may have come about. */
export async function orGiveUp<T>(
  claims: Claims,
  claimed: readonly Claim[],
  context: CommandContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What cannot be given up now is taken over later.
    if (!(error instanceof EventStoreUnavailable))
      for (const claim of claimed) await claims.giveUp(claim, context).catch(() => undefined);
    throw error;
  }
}
