import type { EventStore } from '../../src/event-store/event-store.js';
import { appending } from './contract/appending.js';
import { behavesAsModel } from './contract/model.js';
import { reading } from './contract/reading.js';
import { refusing } from './contract/refusing.js';
import { subscribing } from './contract/subscribing.js';

/** A log to hold to the contract. It may hold other events already. */
export interface ContractFixture {
  readonly store: EventStore;
  /** A second client of the same log; whoever asks closes it. */
  readonly another: () => Promise<EventStore>;
  /** Cuts the connections to the log; the log itself goes on. Absent where there are none. */
  readonly cut?: () => Promise<void>;
  /** Called once after all tests, `store` included. */
  readonly stop: () => Promise<void>;
}

/** What every implementation of the event store port promises. */
export function eventStoreContract(name: string, makeStore: () => Promise<ContractFixture>): void {
  describe(`${name} keeps the contract of the event store`, () => {
    let made: ContractFixture | undefined;
    const fixture = () => {
      if (!made) throw new Error('the store was not made');
      return made;
    };
    before(async () => {
      made = await makeStore();
    });
    after(() => made?.stop());

    describe('appending', () => {
      appending(fixture);
    });
    describe('refusing', () => {
      refusing(fixture);
    });
    describe('reading', () => {
      reading(fixture);
    });
    describe('subscribing', () => {
      subscribing(fixture);
    });
    behavesAsModel(fixture);
  });
}
