import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainError } from '../domain/errors.js';
import { ClaimTaken, type Claim, type Claims } from './claims.js';
import { step, type CommandContext } from './context.js';
import { orUndo } from './or-undo.js';
import { whileOvertaken } from './while-overtaken.js';

/** An account, repository or the like that exists and is about to claim something. */
export interface Claimant {
  readonly category: string;
  readonly id: number;
  /** The code with which its decider refuses a command whose claim was lost meanwhile. */
  readonly lost: string;
  /** Makes the refusal for the client if somebody else holds what was to be claimed. */
  readonly refusal: (taken: ClaimTaken) => DomainError;
}

/** How often the work is tried: enough even if several processes keep changing one claimant. */
const ATTEMPTS = 10;

/**
 * Runs `work`, which claims something; in this process, one at a time for each claimant. If its claim is lost, because
 * another process changed the claimant or `work` took too long, runs it again from the start, with a command id of its own.
 */
export async function claiming<T>(
  claims: Claims,
  claimant: Claimant,
  context: CommandContext,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  try {
    return await claims.inTurn(claimant, claimant.id, () => whileLost(claimant, context, work));
  } catch (error) {
    throw error instanceof ClaimTaken ? claimant.refusal(error) : error;
  }
}

const whileLost = <T>(
  { lost }: Claimant,
  context: CommandContext,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> =>
  whileOvertaken([lost], ATTEMPTS, async (attempt) => {
    if (attempt === 1) return work(context);
    await sleep(Math.random() * 2 ** (attempt - 1));
    return work(step(context, `attempt ${attempt}`));
  });

/** Runs `work`, and gives the claim up if it fails, except with an unknown outcome. */
export const orGiveUp = <T>(
  claims: Claims,
  claim: Claim,
  context: CommandContext,
  work: () => Promise<T>,
): Promise<T> => orUndo([() => claims.giveUp(claim, context)], work);
