import { QuotaExceeded } from '../../domain/quota/quota-exceeded.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';
import { Queues } from '../../queues.js';
import type { CommandContext } from '../context.js';
import type { Reservation, Storage } from '../quota/storage.js';

/** Whose room grows, and for what. `objectId` is the repository's id in decimal; every append has this `context`. */
export interface GrowingOptions {
  readonly storage: Storage;
  readonly ownerId: number;
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly context: CommandContext;
  /** Told once, where the room could not be kept while nothing was asked for. */
  readonly onLost: (error: unknown) => void;
}

/** Asked for beyond what is needed now, so that not every piece takes an append. */
const AHEAD = 4n * 1024n * 1024n;
const LEAST_AHEAD = 64n * 1024n;
const RENEW_MS = 30_000;

/** Room at an owner for work whose size shows as it goes on. It keeps its lease by itself until `handOver` or `release`. */
export class GrowingReservation {
  readonly #options: GrowingOptions;
  readonly #turns = new Queues();
  readonly #timer: NodeJS.Timeout;
  #reservation: Reservation;
  #ahead = AHEAD;

  /** Throws `QuotaExceeded` where nothing more may be stored at all. */
  static async begin(options: GrowingOptions): Promise<GrowingReservation> {
    const { storage, ownerId, objectId, subject, context } = options;
    return new GrowingReservation(
      options,
      await storage.reserve(ownerId, { objectId, subject, bytes: 0n }, context),
    );
  }

  private constructor(options: GrowingOptions, reservation: Reservation) {
    this.#options = options;
    this.#reservation = reservation;
    this.#timer = setInterval(() => {
      this.#turns
        .run('', () => this.#renew(this.#reservation.bytes))
        .catch((error: unknown) => {
          clearInterval(this.#timer);
          options.onLost(error);
        });
    }, RENEW_MS);
  }

  /** Makes sure of room for so many bytes in all. Throws `QuotaExceeded`. */
  reach(bytes: bigint): Promise<void> | undefined {
    return bytes <= this.#reservation.bytes ? undefined : this.#turns.run('', () => this.#grow(bytes));
  }

  /** Ends the growing: whoever gets the reservation renews it, and settles or releases it. */
  async handOver(): Promise<Reservation> {
    clearInterval(this.#timer);
    return this.#turns.run('', () => Promise.resolve(this.#reservation));
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { storage, context } = this.#options;
    await this.#turns.run('', () => storage.release(this.#reservation, context));
  }

  /** Near a limit it asks for less and less ahead, so that the last byte there is can be had. */
  async #grow(bytes: bigint): Promise<void> {
    for (;;) {
      try {
        await this.#renew(bytes + this.#ahead);
        return;
      } catch (error) {
        if (!(error instanceof QuotaExceeded) || this.#ahead === 0n) throw error;
        this.#ahead = this.#ahead > LEAST_AHEAD ? this.#ahead / 4n : 0n;
      }
    }
  }

  async #renew(bytes: bigint): Promise<void> {
    const { storage, context } = this.#options;
    this.#reservation = await storage.renew(this.#reservation, context, bytes);
  }
}
