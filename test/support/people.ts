import { randomBytes } from 'node:crypto';
import { DamagedKey } from '../../src/vault/people.js';
import type { PersonalKeys } from '../../src/event-log/personal-sealing.js';

/** Keys of personal fields in memory; counts how often it was asked. */
export class TestPeople implements PersonalKeys {
  readonly #keys = new Map<number, Buffer | undefined>();
  readonly #damaged = new Set<number>();
  questions = 0;

  ensure(id: number): Promise<Buffer | undefined> {
    if (!this.#keys.has(id)) this.#keys.set(id, randomBytes(32));
    return Promise.resolve(this.#keys.get(id));
  }

  keysFor(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>> {
    this.questions += 1;
    const keys = new Map<number, Buffer>();
    const damaged = ids.find((id) => this.#damaged.has(id));
    if (damaged !== undefined) return Promise.reject(new DamagedKey(`of ${damaged}`));
    for (const id of ids) {
      const key = this.#keys.get(id);
      if (key) keys.set(id, key);
    }
    return Promise.resolve(keys);
  }

  damage(id: number): void {
    this.#damaged.add(id);
  }

  shred(id: number): void {
    this.#keys.set(id, undefined);
  }
}
