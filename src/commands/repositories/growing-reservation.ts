import type { UsageSubject } from '../../domain/quota/subjects.js';
import { Queues } from '../../concurrency/queues.js';
import type { CommandContext } from '../context.js';
import type { Reservation } from '../quota/reservation.js';
import type { Storage } from '../quota/storage.js';

/** What is reserved, and for whom. `objectId` is the repository's id in decimal; every append has this `context`. */
export interface GrowingOptions {
  readonly storage: Storage;
  readonly ownerId: number;
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly context: CommandContext;
  /** How many bytes are reserved beyond those needed now, so that not every piece takes an append; 4 MiB by default. */
  readonly ahead?: bigint;
  /** How often the lease is renewed while nothing more is needed, in ms; 30,000 by default. */
  readonly renewMs?: number;
  /** Called once, if the room could not be kept while nothing more was needed. */
  readonly onLost: (error: unknown) => void;
}

const AHEAD = 4n * 1024n * 1024n;
const RENEW_MS = 30_000;

/**
 * Runs work whose size only shows as it goes on, while room for it is reserved at the owner. The work calls `reach`
 * with the bytes that it needs so far. Resolves with the work's result and with the reservation, which the caller must
 * then renew, settle or release; if the work rejects, releases it. Rejects with `QuotaExceeded` if the owner has no
 * room at all. `lost` is aborted, with the reason, if the room could not be kept while the work asked for nothing.
 */
export async function withGrowingRoom<T>(
  wanted: Omit<GrowingOptions, 'onLost'>,
  work: (room: Pick<GrowingReservation, 'reach'>, lost: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T; readonly reservation: Reservation }> {
  const lost = new AbortController();
  const room = await GrowingReservation.begin({
    ...wanted,
    onLost: (error) => {
      lost.abort(error);
    },
  });
  try {
    const result = await work(room, lost.signal);
    return { result, reservation: await room.handOver() };
  } catch (error) {
    await room.release();
    throw error;
  }
}

/** A reservation that grows with the work. It renews its own lease until `handOver` or `release` is called. */
export class GrowingReservation {
  readonly #turns = new Queues();
  readonly #timer: NodeJS.Timeout;
  #reservation: Reservation;
  /** The most bytes that were asked for; the rest of the reservation is ahead of the need. */
  #needed = 0n;

  /** Rejects with `QuotaExceeded` if the owner has no room at all. */
  static async begin(options: GrowingOptions): Promise<GrowingReservation> {
    const { storage, ownerId, objectId, subject, context } = options;
    return new GrowingReservation(
      options,
      await storage.reserve(ownerId, { objectId, subject, bytes: 0n }, context),
    );
  }

  private constructor(
    private readonly options: GrowingOptions,
    reservation: Reservation,
  ) {
    this.#reservation = reservation;
    this.#timer = setInterval(() => {
      this.#turns
        .run('', () => this.#renew(this.#needed, this.#reservation.bytes - this.#needed))
        .catch((error: unknown) => {
          clearInterval(this.#timer);
          options.onLost(error);
        });
    }, options.renewMs ?? RENEW_MS);
  }

  /** Ensures that room for this many bytes in all is reserved. Rejects with `QuotaExceeded`. */
  reach(bytes: bigint): Promise<void> | undefined {
    const { ahead = AHEAD } = this.options;
    if (bytes > this.#reservation.bytes) return this.#turns.run('', () => this.#renew(bytes, ahead));
    this.#note(bytes);
    return undefined;
  }

  /** Ends the growing. The caller must then renew the reservation, and settle or release it. */
  async handOver(): Promise<Reservation> {
    clearInterval(this.#timer);
    return this.#turns.run('', () => Promise.resolve(this.#reservation));
  }

  /** Ends the growing, and gives up what was reserved. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { storage, context } = this.options;
    await this.#turns.run('', () => storage.release(this.#reservation, context));
  }

  async #renew(needed: bigint, ahead: bigint): Promise<void> {
    const { storage, context } = this.options;
    this.#reservation = await storage.renew(this.#reservation, context, needed, ahead);
    this.#note(needed);
  }

  #note(needed: bigint): void {
    if (needed > this.#needed) this.#needed = needed;
  }
}
