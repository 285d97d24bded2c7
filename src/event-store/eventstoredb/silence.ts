import type { EventStoreDBClient } from '@eventstore/db-client';
import { asReading, type Resolved } from './client.js';
import { NoAnswer } from './errors.js';

/** Waits for an answer at most `ms` milliseconds, because some calls of the client are never answered. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer(`no answer for ${ms} ms`));
    }, ms);
  });
  return Promise.race([answer, limit]).finally(() => {
    clearTimeout(timer);
  });
}

/** Collects all that a read gives; rejects if nothing arrives for `ms` milliseconds. */
export function collect(
  ms: number,
  read: ReturnType<EventStoreDBClient['readAll'] | EventStoreDBClient['readStream']>,
): Promise<Resolved[]> {
  const reading = asReading(read);
  const events: Resolved[] = [];
  return new Promise<Resolved[]>((resolve, reject) => {
    const timer = setTimeout(() => {
      reading.cancel().catch(() => undefined);
      reject(new NoAnswer(`no answer for ${ms} ms`));
    }, ms);
    reading
      .on('data', (event: Resolved) => {
        events.push(event);
        timer.refresh();
      })
      .on('end', () => {
        clearTimeout(timer);
        resolve(events);
      })
      .on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
  });
}
