import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refused } from '../refused.js';

export interface LoginLimits {
  /** Failures of one account from one address, before that address must wait for that account. */
  readonly perAccountAndAddress: number;
  /** Failures from one address, whatever the accounts. */
  readonly perAddress: number;
  readonly windowSeconds: number;
}

export const LOGIN_LIMITS: LoginLimits = {
  perAccountAndAddress: 50,
  perAddress: 500,
  windowSeconds: 15 * 60,
};

const MAX_COUNTERS = 20_000;

/**
 * Counts failed logins by address, and by account and address together: guessing is slow, and nobody locks an account
 * for somebody at another address. An attempt is counted before it is verified, so that many at once are too many, and
 * given back when it succeeds. Counters are bounded; when full, the ones longest unused are dropped.
 */
export class LoginGate {
  readonly #byAddress: Counter;
  readonly #byAccountAndAddress: Counter;

  constructor({ perAccountAndAddress, perAddress, windowSeconds }: LoginLimits = LOGIN_LIMITS) {
    this.#byAddress = new Counter(perAddress, windowSeconds);
    this.#byAccountAndAddress = new Counter(perAccountAndAddress, windowSeconds);
  }

  /** `login` is an HMAC of the name given. Throws 429 with `Retry-After`; else returns what to call on success. */
  async enter(login: string, address: string): Promise<() => Promise<void>> {
    const network = networkOf(address);
    const both = `${login} ${network}`;
    await this.#byAddress.count(network);
    await this.#byAccountAndAddress.count(both);
    return async () => {
      await Promise.all([this.#byAddress.giveBack(network), this.#byAccountAndAddress.reset(both)]);
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

  constructor(points: number, duration: number) {
    this.#limiter = new RateLimiterMemory({ points, duration });
  }

  async count(key: string): Promise<void> {
    this.#known.set(key, true);
    try {
      await this.#limiter.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Refused(429, 'too many failed logins', { 'Retry-After': String(seconds) });
    }
  }

  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  async reset(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }
}

/** An IPv4 address, or the /64 of an IPv6 address, which is one customer's. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length;
    groups.push(...new Array<string>(Math.max(0, 8 - groups.length - after)).fill('0'));
  }
  return groups.slice(0, 4).join(':');
}
