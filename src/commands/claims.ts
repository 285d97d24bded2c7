import { setTimeout as pause } from 'node:timers/promises';
import { v4 } from 'uuid';
import { Account, type AccountState } from '../domain/accounts/account.js';
import { DomainError } from '../domain/errors.js';
import type { Reservation, ReservationState } from '../domain/reservations/reservation.js';
import { step, type CommandContext } from './context.js';
import type { CommandHandler } from './handle.js';

/** What one account at a time can hold, and whether an account that exists does. */
export interface Claimable {
  readonly kind: Reservation;
  readonly key: string;
  readonly isHeldBy: (account: AccountState) => boolean;
}

/** A claim that was made. */
export interface Claim extends Claimable {
  readonly claimantId: number;
  readonly claimId: string;
}

/** Somebody who exists holds what was to be claimed. */
export class ClaimTaken extends Error {
  override readonly name = 'ClaimTaken';
  constructor(
    readonly category: string,
    readonly holderId: number,
  ) {
    super(`${category} is held by account ${holderId}`);
  }
}

export interface ClaimsOptions {
  readonly commands: CommandHandler;
  /** How long a claimant may take before others take its claims over; 3,000 by default. */
  readonly patienceMs?: number;
  readonly now?: () => Date;
}

type Holder = NonNullable<ReservationState['holder']>;
type Standing = 'holds it' | 'pending' | 'gone';

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Names, addresses and keys that one account at a time holds. They are claimed before the account records them; a
 * claim names its claimant, so a claimant that crashed in between is found out by whoever wants the same. Once the
 * claim is old enough, that one abandons it on the claimant's own stream, which makes the late append fail (an account
 * to be can then never be created, one that exists refuses what was decided before), and takes the claim over.
 */
export class Claims {
  readonly #commands: CommandHandler;
  readonly #patienceMs: number;
  readonly #now: () => Date;

  constructor({ commands, patienceMs = 3_000, now = () => new Date() }: ClaimsOptions) {
    this.#commands = commands;
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /**
   * Claims something for an account. Waits for a claimant that is still at it; throws `ClaimTaken`. A command that is
   * tried again from the start claims in the context of a step of its own.
   */
  async claim(wanted: Claimable, claimantId: number, context: CommandContext): Promise<Claim> {
    const { kind, key } = wanted;
    const own = step(context, `claim for ${claimantId}`);
    const claim = { ...wanted, claimantId, claimId: own.commandId };
    for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      if (await this.#tryClaim(claim, own)) return claim;
      const { holder } = (await this.#commands.load(kind, key)).state;
      if (!holder) continue; // released since
      const standing = await this.#standing(holder, wanted);
      if (standing === 'holds it') throw new ClaimTaken(kind.category, holder.claimantId);
      if (standing === 'pending') await pause(wait);
      else if (await this.#takeOver(claim, holder, context)) return claim;
    }
  }

  /** The claim by which the account holds something now; undefined where it does not. */
  async find(held: Claimable, accountId: number): Promise<Claim | undefined> {
    const { holder } = (await this.#commands.load(held.kind, held.key)).state;
    return holder?.claimantId === accountId
      ? { ...held, claimantId: accountId, claimId: holder.claimId }
      : undefined;
  }

  /**
   * Gives up a claim of an account that exists and did not come to what was claimed. Nothing where it did: by another
   * command at the same time, which this claim served as well.
   */
  async giveUp(claim: Claim, context: CommandContext): Promise<void> {
    if (await this.#abandon(claim.claimantId, claim)) await this.release(claim, context);
  }

  /** Gives a claim back of which the account can make no use any more; nothing where it counts no more. */
  async release({ kind, key, claimantId, claimId }: Claim, context: CommandContext): Promise<void> {
    const command = { type: 'ReleaseClaim', data: { claimantId, claimId, at: this.#at() } } as const;
    await this.#commands.handle(kind, key, command, step(context, `release ${claimId}`));
  }

  #tryClaim({ kind, key, claimantId, claimId }: Claim, context: CommandContext): Promise<boolean> {
    const command = { type: 'Claim', data: { claimantId, claimId, at: this.#at() } } as const;
    return accepted(this.#commands.handle(kind, key, command, context));
  }

  #takeOver(
    { kind, key, claimantId, claimId }: Claim,
    from: Holder,
    context: CommandContext,
  ): Promise<boolean> {
    const command = { type: 'TakeOverClaim', data: { from, claimantId, claimId, at: this.#at() } } as const;
    const steps = step(context, `take over ${from.claimId} for ${claimantId}`);
    return accepted(this.#commands.handle(kind, key, command, steps));
  }

  /** Whether the holder has it, may still come to it, or never will by this claim: what is overdue is abandoned here. */
  async #standing({ claimantId, madeAt }: Holder, wanted: Claimable): Promise<Standing> {
    const { state } = await this.#commands.load(Account, claimantId);
    if (state.status === 'abandoned' || state.status === 'deleted') return 'gone';
    if (state.status === 'exists' && wanted.isHeldBy(state)) return 'holds it';
    if (this.#now().getTime() - Date.parse(madeAt) < this.#patienceMs) return 'pending';
    return (await this.#abandon(claimantId, wanted)) ? 'gone' : 'holds it';
  }

  /** False where the account came to it at the last moment. */
  async #abandon(accountId: number, { isHeldBy }: Claimable): Promise<boolean> {
    const at = this.#at();
    let holds = false;
    const command = async () => {
      const { state } = await this.#commands.load(Account, accountId);
      holds = state.status === 'exists' && isHeldBy(state);
      return { type: 'AbandonClaim', data: { accountId, holds, at } } as const;
    };
    await this.#commands.handle(Account, accountId, command, { commandId: v4(), at });
    return !holds;
  }

  #at(): string {
    return this.#now().toISOString();
  }
}

/** Whether a command went through; false where a rule refused it. */
async function accepted(handled: Promise<unknown>): Promise<boolean> {
  try {
    await handled;
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
