import { Account, CLAIM_LOST } from '../../domain/accounts/account.js';
import { EventStoreUnavailable } from '../../event-store/event-store.js';
import { ClaimTaken, type Claim, type Claims } from '../claims.js';
import type { CommandContext } from '../context.js';
import { whileLost } from '../while-lost.js';
import { takenField } from './create-account.js';

interface Claimant {
  readonly claims: Claims;
  readonly accountId: number;
}

/**
 * Runs `work`, which claims something for an account, in its turn; from the start, in a step of its own, while it loses
 * what it claimed. Refuses what is taken as `invalid`.
 */
export async function claiming<T>(
  { claims, accountId }: Claimant,
  context: CommandContext,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  try {
    return await claims.inTurn(Account, accountId, () => whileLost(CLAIM_LOST, context, work));
  } catch (error) {
    throw error instanceof ClaimTaken ? takenField(error) : error;
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
