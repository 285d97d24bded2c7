import type { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refused } from '../refused.js';
import { recentlyUsed } from '../../values/recently-used.js';
import { networkOf } from './client-address.js';

/** How many wrong guesses are allowed in a time window; each process counts by itself. */
export interface LoginLimits {
  /** Wrong guesses for one account from one address, before that address must wait for that account. */
  readonly perAccountAndAddress: number;
  /** Wrong guesses from one address, for any accounts. */
  readonly perAddress: number;
  readonly windowSeconds: number;
}

/** An attempt to sign in. */
export interface Attempt {
  /** A key of the account, the same for each of its names and addresses. */
  readonly account: string;
  /** A key of the guess, the same if the same password is tried again under the same name. */
  readonly guess: string;
  readonly address: string;
}

const LOGIN_LIMITS: LoginLimits = {
  perAccountAndAddress: 50,
  perAddress: 500,
  windowSeconds: 15 * 60,
};

const MAX_COUNTERS = 20_000;

/** What a guess costs; repeating the same one costs 1. */
const GUESS = 6;

/**
 * Limits failed sign-ins by address, and by account and address together: guessing is slow, and nobody can lock an
 * account for users at other addresses. Repeating a password costs a sixth, because a program with an outdated one learns
 * nothing from it. An attempt is counted before it is verified, so that concurrent ones are limited too, and is given
 * back when it succeeds. An attempt refused for its account does not count for its address. Counters are bounded; the
 * least recently used ones are dropped.
 */
export class LoginGate {
  readonly #byAddress: Counter;
  readonly #byAccountAndAddress: Counter;
  readonly #guessed: LRUCache<string, true>;

  constructor({ perAccountAndAddress, perAddress, windowSeconds }: LoginLimits = LOGIN_LIMITS) {
    this.#byAddress = new Counter(perAddress * GUESS, windowSeconds);
    this.#byAccountAndAddress = new Counter(perAccountAndAddress * GUESS, windowSeconds);
    this.#guessed = recentlyUsed(MAX_COUNTERS, { ttl: windowSeconds * 1000 });
  }

  /** Counts an attempt, and returns what to call on success. Throws 429 with `Retry-After` if the limit is reached. */
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
  readonly #known = recentlyUsed<string, true>(MAX_COUNTERS, {
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
      // The limit ends in time even if the clock is set, but `msBeforeNext` follows the clock, so it is bounded here.
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
