import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainError } from '../domain/errors.js';
import { ClaimTaken, type Claim, type Claims } from './claims.js';
import { step, type CommandContext } from './context.js';
import { orUndo } from './or-undo.js';
import { whileOvertaken } from './while-overtaken.js';

/** Somebody, or something, that exists and claims more. */
export interface Claimant {
  readonly category: string;
  readonly id: number;
  /** The code of the refusal that says: what was claimed is lost. */
  readonly lost: string;
  /** What is told where somebody else has what is claimed. */
  readonly refusal: (taken: ClaimTaken) => DomainError;
}

/** Of several processes that change one claimant without a pause, each comes through within so many. */
const ATTEMPTS = 10;

/**
 * Runs `work`, which claims something, in the claimant's turn; from the start, in a step of its own, while what it
 * claimed is lost to another change of the same claimant, or to its own slowness.
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

/** Gives the claim up where `work` fails, unless it may have come about. */
export const orGiveUp = <T>(
  claims: Claims,
  claim: Claim,
  context: CommandContext,
  work: () => Promise<T>,
): Promise<T> => orUndo([() => claims.giveUp(claim, context)], work);
