import { randomBytes } from 'node:crypto';
import type { PersonalKeys } from '../../src/event-log/event-codec.js';

/** Keys of personal fields in memory; counts how often it was asked. */
export class TestPeople implements PersonalKeys {
  readonly #keys = new Map<number, Buffer | undefined>();
  questions = 0;

  ensure(id: number): Promise<Buffer | undefined> {
    if (!this.#keys.has(id)) this.#keys.set(id, randomBytes(32));
    return Promise.resolve(this.#keys.get(id));
  }

  keysFor(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>> {
    this.questions += 1;
    const keys = new Map<number, Buffer>();
    for (const id of ids) {
      const key = this.#keys.get(id);
      if (key) keys.set(id, key);
    }
    return Promise.resolve(keys);
  }

  shred(id: number): void {
    this.#keys.set(id, undefined);
  }
}
