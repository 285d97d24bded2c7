import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refused } from '../refused.js';
import { networkOf } from './client-address.js';

/** How many wrong guesses are borne in a window of time, each process by itself. */
export interface LoginLimits {
  /** Wrong guesses at one account from one address, before that address must wait for that account. */
  readonly perAccountAndAddress: number;
  /** Wrong guesses from one address, whatever the accounts. */
  readonly perAddress: number;
  readonly windowSeconds: number;
}

/** Who is to be entered, with what, from where. */
export interface Attempt {
  /** The same for every name that the account is entered by. */
  readonly account: string;
  /** The same where the same password is tried under the same name. */
  readonly guess: string;
  readonly address: string;
}

export const LOGIN_LIMITS: LoginLimits = {
  perAccountAndAddress: 50,
  perAddress: 500,
  windowSeconds: 15 * 60,
};

const MAX_COUNTERS = 20_000;

/** What a guess weighs, where the same one again weighs 1. */
const GUESS = 6;

/**
 * Counts failed logins by address, and by account and address together: guessing is slow, and nobody locks an account
 * for somebody at another address. The same password again counts for a sixth: a program that was not told of a new one
 * learns nothing by it. An attempt is counted before it is verified, so that many at once are too many, and given back
 * when it succeeds; one that is refused for its account does not count for its address. Counters are bounded; when
 * full, the ones longest unused are dropped.
 */
export class LoginGate {
  readonly #byAddress: Counter;
  readonly #byAccountAndAddress: Counter;
  readonly #guessed: LRUCache<string, true>;

  constructor({ perAccountAndAddress, perAddress, windowSeconds }: LoginLimits = LOGIN_LIMITS) {
    this.#byAddress = new Counter(perAddress * GUESS, windowSeconds);
    this.#byAccountAndAddress = new Counter(perAccountAndAddress * GUESS, windowSeconds);
    this.#guessed = new LRUCache({ max: MAX_COUNTERS, ttl: windowSeconds * 1000 });
  }

  /** Throws 429 with `Retry-After`; else returns what to call on success. */
  async enter({ account, guess, address }: Attempt): Promise<() => Promise<void>> {
    const network = networkOf(address);
    const both = `${account} ${network}`;
    const attempt = `${guess} ${network}`;
    const weight = this.#guessed.has(attempt) ? 1 : GUESS;
    await this.#byAccountAndAddress.count(both, weight);
    await this.#byAddress.count(network, weight);
    this.#guessed.set(attempt, true);
    return async () => {
      this.#guessed.delete(attempt);
      await Promise.all([this.#byAddress.giveBack(network, weight), this.#byAccountAndAddress.reset(both)]);
    };
  }
}

class Counter {
  readonly #limiter: RateLimiterMemory;
  readonly #known = new LRUCache<string, true>({
    max: MAX_COUNTERS,
    dispose: (_, key, reason) => {
      if (reason === 'evict') void this.#limiter.delete(key);
    },
  });

  constructor(
    points: number,
    private readonly duration: number,
  ) {
    this.#limiter = new RateLimiterMemory({ points, duration });
  }

  async count(key: string, weight: number): Promise<void> {
    this.#known.set(key, true);
    try {
      await this.#limiter.consume(key, weight);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // Its wait ends in time whatever becomes of the clock, but is told by it.
      const seconds = Math.min(Math.max(1, Math.ceil(error.msBeforeNext / 1000)), this.duration);
      throw new Refused(429, 'too many failed logins', { 'Retry-After': String(seconds) });
    }
  }

  async giveBack(key: string, weight: number): Promise<void> {
    await this.#limiter.reward(key, weight);
  }

  async reset(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }
}
