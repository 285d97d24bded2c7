import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf } from '../domain/decider.js';
import type { ClaimState } from '../domain/claims/claim.js';
import type { Claimable } from './claimable.js';
import { commandQueues } from './command-queues.js';
import { ownCommand, step, type CommandContext } from './context.js';
import type { CommandHandler } from './handle.js';
import { unlessRefused } from './unless-refused.js';

/** A claim that was appended, and the claimant that made it. */
export interface Claim extends Claimable {
  readonly claimantId: number;
  readonly claimId: string;
}

/** Another claimant, which exists or is still being created, holds what was to be claimed. */
export class ClaimTaken extends Error {
  override readonly name = 'ClaimTaken';
  constructor(
    readonly category: string,
    readonly holderId: number,
  ) {
    super(`${category} is held by ${holderId}`);
  }
}

/** How long claims of others are waited for, and by which clock; the system's by default. */
export interface ClaimsOptions {
  readonly commands: CommandHandler;
  /** How long a claimant may take before others take its claims over; 3,000 by default. */
  readonly patienceMs?: number;
  readonly now?: () => Date;
}

type Holder = NonNullable<ClaimState['holder']>;
type Standing = 'holds it' | 'pending' | 'gone';

/** A claim that is in the way, and when this process first saw it, by `performance.now()`. */
interface Met {
  readonly claimId: string;
  readonly at: number;
}

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Claims names, addresses and keys, which one account or repository at a time holds. A claimant claims them in their
 * own streams before it records them in its own. A claim names its claimant, so that a claimant that crashed in between
 * is noticed by the next one that wants the same thing. Once the claim is old enough, the newcomer abandons it on the
 * claimant's own stream, where a late append then fails (an account that did not exist yet can never be created, one
 * that exists refuses what was decided before), and takes the claim over.
 */
export class Claims {
  readonly #commands: CommandHandler;
  readonly #patienceMs: number;
  readonly #now: () => Date;
  readonly #turns = commandQueues();

  constructor({ commands, patienceMs = 3_000, now = () => new Date() }: ClaimsOptions) {
    this.#commands = commands;
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /**
   * Runs work that claims something for a claimant, or releases it, once no other such work of this claimant runs in
   * this process: two at once would each make the other's append fail.
   */
  inTurn<T>(
    claimants: { readonly category: string },
    claimantId: number,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#turns.run(streamOf(claimants, claimantId), work);
  }

  /**
   * Claims something for a claimant. Waits while another claimant's claim is pending, and rejects with `ClaimTaken` once
   * that one holds it. A command that is tried again from the start must pass the context of another step.
   */
  async claim(wanted: Claimable, claimantId: number, context: CommandContext): Promise<Claim> {
    const { kind, key } = wanted;
    const own = await this.#claimStep(wanted, claimantId, context);
    const claim = { ...wanted, claimantId, claimId: own.commandId };
    let met: Met | undefined;
    for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      if (await this.#tryClaim(claim, own)) return claim;
      const { holder } = (await this.#commands.load(kind, key)).state;
      if (!holder) continue; // released since
      if (met?.claimId !== holder.claimId) met = { claimId: holder.claimId, at: performance.now() };
      const standing = await this.#standing(holder, wanted, context, met);
      if (standing === 'holds it') throw new ClaimTaken(kind.category, holder.claimantId);
      if (standing === 'pending') await sleep(wait);
      else if (await this.#takeOver(claim, holder, own)) return claim;
    }
  }

  /** Finds the claim by which the claimant holds something; undefined if it does not. */
  async find(held: Claimable, claimantId: number): Promise<Claim | undefined> {
    const { holder } = (await this.#commands.load(held.kind, held.key)).state;
    return holder?.claimantId === claimantId ? { ...held, claimantId, claimId: holder.claimId } : undefined;
  }

  /**
   * Gives up a claim after the command that made it failed. Does nothing if the claimant holds the thing after all,
   * because another of its commands may have used the same claim.
   */
  async giveUp(claim: Claim, context: CommandContext): Promise<void> {
    if (await claim.abandon(this.#commands, claim.claimantId, this.#at())) await this.release(claim, context);
  }

  /** Releases a claim that the claimant can no longer use. Does nothing if it was taken over or released already. */
  async release({ kind, key, claimantId, claimId }: Claim, context: CommandContext): Promise<void> {
    const command = { type: 'ReleaseClaim', data: { claimantId, claimId, at: this.#at() } } as const;
    await this.#commands.handle(kind, key, command, step(context, `release ${claimId}`));
  }

  /**
   * Returns the context of the append that makes the claim. A repeated request makes a new claim, because its earlier one
   * may have been taken over.
   */
  async #claimStep(
    { kind, key }: Claimable,
    claimantId: number,
    context: CommandContext,
  ): Promise<CommandContext> {
    const own = claimStep(context, claimantId);
    const earlier = await this.#commands.repeated(kind, key, own);
    return earlier ? ownCommand(own) : { ...own, repeatable: false };
  }

  async #tryClaim({ kind, key, claimantId, claimId }: Claim, context: CommandContext): Promise<boolean> {
    const command = { type: 'Claim', data: { claimantId, claimId, at: this.#at() } } as const;
    return (await unlessRefused(this.#commands.begin(kind, key, command, context))) !== undefined;
  }

  async #takeOver(
    { kind, key, claimantId, claimId }: Claim,
    from: Holder,
    context: CommandContext,
  ): Promise<boolean> {
    const command = { type: 'TakeOverClaim', data: { from, claimantId, claimId, at: this.#at() } } as const;
    return (await unlessRefused(this.#commands.handle(kind, key, command, context))) !== undefined;
  }

  /**
   * Finds out what became of the claim that is in the way, and abandons it if it is overdue. Its age is taken from its own
   * time or, because that clock may have been ahead, from how long this process has been waiting for it.
   */
  async #standing(
    { claimantId, claimId, madeAt }: Holder,
    wanted: Claimable,
    context: CommandContext,
    met: Met,
  ): Promise<Standing> {
    const outcome = await wanted.outcome(this.#commands, claimantId);
    if (outcome !== 'open') return outcome;
    const now = this.#now();
    const age = Math.max(now.getTime() - Date.parse(madeAt), performance.now() - met.at);
    if (age < this.#patienceMs) return 'pending';
    // A claim of an earlier attempt of this very request: only one attempt runs at a time, so that one does not.
    const isAtWork = claimId !== claimStep(context, claimantId).commandId && wanted.isAtWork;
    if (isAtWork && (await isAtWork(this.#commands, claimantId, now))) return 'holds it';
    return (await wanted.abandon(this.#commands, claimantId, this.#at())) ? 'gone' : 'holds it';
  }

  #at(): string {
    return this.#now().toISOString();
  }
}

/** Returns the context of the first claim that a command makes for a claimant. */
const claimStep = (context: CommandContext, claimantId: number): CommandContext =>
  step(context, `claim for ${claimantId}`);
