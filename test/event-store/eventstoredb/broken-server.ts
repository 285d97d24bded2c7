import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EventStoreDbEventStore,
  type EventStoreDbOptions,
} from '../../../src/event-store/eventstoredb/eventstoredb-event-store.js';
import {
  startEventStoreDbStub,
  type EventStoreDbStub,
  type StubOptions,
} from '../../support/eventstoredb-stub/stub.js';

/** A stub and a store of it; both end with the test. */
interface Broken {
  readonly stub: EventStoreDbStub;
  readonly store: EventStoreDbEventStore;
  /** What the store reported. */
  readonly errors: unknown[];
}

export const open = (url: string, options: Partial<EventStoreDbOptions> = {}): EventStoreDbEventStore =>
  new EventStoreDbEventStore({
    url,
    categories: ['contract'],
    timeLimit: 60_000,
    backOff: { first: 5, most: 20 },
    ...options,
  });

/** For tests in which an answer never comes, and that of a later attempt does, perhaps late on a slow machine. */
export const impatient = { timeLimit: 1_000, attempts: 10 };

/** For tests in which no attempt is answered. */
export const hopeless = { timeLimit: 1_000, attempts: 3 };

/** Runs a test on a stub of its own. */
export function broken(
  work: (broken: Broken) => Promise<void>,
  options: StubOptions & Partial<EventStoreDbOptions> = {},
) {
  return async () => {
    const stub = await startEventStoreDbStub(options);
    const errors: unknown[] = [];
    const store = open(stub.url, { ...options, onError: (error) => errors.push(error) });
    try {
      await work({ stub, store, errors });
    } finally {
      await store.close();
      await stub.stop();
    }
  };
}

/** Runs a test with a URL whose client reads a certificate, while the file may be taken away and put back. */
export async function withCertificate(
  url: string,
  work: (certificate: { url: string; remove: () => void; putBack: () => void }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [certificate, key] = [join(folder, 'crt'), join(folder, 'key')];
  const putBack = () => {
    writeFileSync(certificate, '');
  };
  const remove = () => {
    rmSync(certificate);
  };
  putBack();
  writeFileSync(key, '');
  try {
    await work({ url: `${url}&userCertFile=${certificate}&userKeyFile=${key}`, remove, putBack });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Resolves once the condition holds. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
