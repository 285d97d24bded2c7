import { setTimeout as pause } from 'node:timers/promises';
import { v4 } from 'uuid';
import { Account } from '../domain/accounts/account.js';
import { DomainError } from '../domain/errors.js';
import type { Reservation, ReservationState } from '../domain/reservations/reservation.js';
import { step, type CommandContext } from './context.js';
import type { CommandHandler } from './handle.js';

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
  /** How long a claimant may take to create its account before others take its claims over; 3,000 by default. */
  readonly patienceMs?: number;
  readonly now?: () => Date;
}

type Holder = NonNullable<ReservationState['holder']>;

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Names and addresses that one account at a time holds. They are claimed before the account is created; a claim names
 * its claimant, so a claimant that crashed is found out by whoever wants the same: once the claim is old enough, that
 * one abandons the claimant's account, which then can never be created, and takes the claim over.
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

  /** Claims `key` for an account to be. Waits for a claimant that is still at it; throws `ClaimTaken`. */
  async claim(kind: Reservation, key: string, claimantId: number, context: CommandContext): Promise<void> {
    for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      if (await this.#tryClaim(kind, key, claimantId, context)) return;
      const { holder } = (await this.#commands.load(kind, key)).state;
      if (!holder) continue; // released since
      const standing = await this.#standing(holder);
      if (standing === 'exists') throw new ClaimTaken(kind.category, holder.claimantId);
      if (standing === 'pending') await pause(wait);
      else if (await this.#takeOver(kind, key, holder.claimantId, claimantId, context)) return;
    }
  }

  /** Gives a claim back; nothing where the account does not hold it. */
  async release(kind: Reservation, key: string, claimantId: number, context: CommandContext): Promise<void> {
    const command = { type: 'ReleaseClaim', data: { claimantId, at: this.#at() } } as const;
    await this.#commands.handle(kind, key, command, step(context, `release for ${claimantId}`));
  }

  #tryClaim(kind: Reservation, key: string, claimantId: number, context: CommandContext): Promise<boolean> {
    const command = { type: 'Claim', data: { claimantId, at: this.#at() } } as const;
    return accepted(this.#commands.handle(kind, key, command, step(context, `claim for ${claimantId}`)));
  }

  #takeOver(
    kind: Reservation,
    key: string,
    fromId: number,
    claimantId: number,
    context: CommandContext,
  ): Promise<boolean> {
    const command = { type: 'TakeOverClaim', data: { fromId, claimantId, at: this.#at() } } as const;
    const steps = step(context, `take over from ${fromId} for ${claimantId}`);
    return accepted(this.#commands.handle(kind, key, command, steps));
  }

  /** Whether the holder's account exists, may still come, or never will: what is overdue is abandoned here. */
  async #standing({ claimantId, madeAt }: Holder): Promise<'exists' | 'pending' | 'abandoned'> {
    const { status } = (await this.#commands.load(Account, claimantId)).state;
    if (status !== 'absent') return status;
    if (this.#now().getTime() - Date.parse(madeAt) < this.#patienceMs) return 'pending';
    return (await this.#abandon(claimantId)) ? 'abandoned' : 'exists';
  }

  /** False where the account was created at the last moment. */
  #abandon(accountId: number): Promise<boolean> {
    const at = this.#at();
    const command = { type: 'AbandonClaim', data: { accountId, at } } as const;
    return accepted(this.#commands.handle(Account, accountId, command, { commandId: v4(), at }));
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
