import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf } from '../domain/decider.js';
import type { ReservationState } from '../domain/reservations/reservation.js';
import type { Claimable } from './claimable.js';
import { commandQueues } from './command-queues.js';
import { ownCommand, step, type CommandContext } from './context.js';
import type { CommandHandler } from './handle.js';
import { unlessRefused } from './unless-refused.js';

/** A claim that was made. */
export interface Claim extends Claimable {
  readonly claimantId: number;
  readonly claimId: string;
}

/** Somebody who exists, or is still at coming to be, holds what was to be claimed. */
export class ClaimTaken extends Error {
  override readonly name = 'ClaimTaken';
  constructor(
    readonly category: string,
    readonly holderId: number,
  ) {
    super(`${category} is held by ${holderId}`);
  }
}

/** How long somebody else's claim is waited for, and by which clock, the machine's by default. */
export interface ClaimsOptions {
  readonly commands: CommandHandler;
  /** How long a claimant may take before others take its claims over; 3,000 by default. */
  readonly patienceMs?: number;
  readonly now?: () => Date;
}

type Holder = NonNullable<ReservationState['holder']>;
type Standing = 'holds it' | 'pending' | 'gone';

/** A claim that is in the way, and when it was first met, by `performance.now()`. */
interface Met {
  readonly claimId: string;
  readonly at: number;
}

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Names, addresses and keys that one account or repository at a time holds. They are claimed before the claimant records
 * them; a claim names its claimant, so one that crashed in between is found out by whoever wants the same. Once the
 * claim is old enough, that one abandons it on the claimant's own stream, which makes the late append fail (a claimant
 * to be can then never be created, one that exists refuses what was decided before), and takes the claim over.
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
   * Runs work that claims something for a claimant, or frees what it has, when none such is under way here: two at once
   * would each make what the other decided fail.
   */
  inTurn<T>(
    claimants: { readonly category: string },
    claimantId: number,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#turns.run(streamOf(claimants, claimantId), work);
  }

  /**
   * Claims something for a claimant. Waits for a claimant that is still at it; throws `ClaimTaken`. A command that is
   * tried again from the start claims in the context of a step of its own.
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

  /** The claim by which the claimant holds something now; undefined where it does not. */
  async find(held: Claimable, claimantId: number): Promise<Claim | undefined> {
    const { holder } = (await this.#commands.load(held.kind, held.key)).state;
    return holder?.claimantId === claimantId ? { ...held, claimantId, claimId: holder.claimId } : undefined;
  }

  /**
   * Gives up a claim of a claimant that exists and did not come to what was claimed. Nothing where it did: by another
   * command at the same time, which this claim served as well.
   */
  async giveUp(claim: Claim, context: CommandContext): Promise<void> {
    if (await claim.abandon(this.#commands, claim.claimantId, this.#at())) await this.release(claim, context);
  }

  /** Gives a claim back of which the claimant can make no use any more; nothing where it counts no more. */
  async release({ kind, key, claimantId, claimId }: Claim, context: CommandContext): Promise<void> {
    const command = { type: 'ReleaseClaim', data: { claimantId, claimId, at: this.#at() } } as const;
    await this.#commands.handle(kind, key, command, step(context, `release ${claimId}`));
  }

  /**
   * What makes the claim. A request that is sent again makes another: the earlier one may be somebody else's by now, or
   * about to be.
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
   * Whether the holder has it, may still come to it, or never will by this claim: one that is overdue is abandoned here. Its
   * age is the one that its own time gives or, as that clock may have been ahead, the time for which it has been waited.
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
    // Of a request that is sent again, one attempt at a time is at work: not the earlier one.
    const isAtWork = claimId !== claimStep(context, claimantId).commandId && wanted.isAtWork;
    if (isAtWork && (await isAtWork(this.#commands, claimantId, now))) return 'holds it';
    return (await wanted.abandon(this.#commands, claimantId, this.#at())) ? 'gone' : 'holds it';
  }

  #at(): string {
    return this.#now().toISOString();
  }
}

/** What makes the first claim of a command for a claimant. */
const claimStep = (context: CommandContext, claimantId: number): CommandContext =>
  step(context, `claim for ${claimantId}`);
