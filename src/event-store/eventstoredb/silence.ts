import type { EventStoreDBClient } from '@eventstore/db-client';
import { within } from '../../concurrency/within.js';
import { asReading, type Resolved } from './client.js';
import { NoAnswer } from './errors.js';

/** Waits for an answer at most `ms` milliseconds, because some calls of the client are never answered. */
export const answeredWithin = <T>(ms: number, answer: Promise<T>): Promise<T> =>
  within(ms, answer, () => noAnswer(ms));

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
      reject(noAnswer(ms));
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

const noAnswer = (ms: number) => new NoAnswer(`no answer for ${ms} ms`);
