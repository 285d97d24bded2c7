import type { EventStoreDBClient } from '@eventstore/db-client';
import { within } from '../../concurrency/within.js';
import { asReading, type Resolved } from './client.js';
import { NoAnswer } from './errors.js';

/** Waits for an answer at most `ms` milliseconds, because some calls of the client are never answered. */
export const answeredWithin = <T>(ms: number, answer: Promise<T>): Promise<T> =>
  within(ms, answer, () => noAnswer(ms));

/**
 * Collects what `keep` makes of each event that a read gives, until `isEnough`; rejects if nothing arrives for `ms`
 * milliseconds.
 */
export function collect<Kept>(
  ms: number,
  read: ReturnType<EventStoreDBClient['readAll'] | EventStoreDBClient['readStream']>,
  keep: (event: Resolved) => Kept,
  isEnough: (kept: readonly Kept[]) => boolean = () => false,
): Promise<Kept[]> {
  const reading = asReading(read);
  const kept: Kept[] = [];
  return new Promise<Kept[]>((resolve, reject) => {
    const timer = setTimeout(() => {
      leave();
      reject(noAnswer(ms));
    }, ms);
    const finish = () => {
      clearTimeout(timer);
      resolve(kept);
    };
    const take = (event: Resolved) => {
      kept.push(keep(event));
      timer.refresh();
      if (!isEnough(kept)) return;
      leave();
      finish();
    };
    const leave = () => {
      reading.off('data', take);
      reading.cancel().catch(() => undefined);
    };
    reading
      .on('data', take)
      .on('end', finish)
      .on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
  });
}

const noAnswer = (ms: number) => new NoAnswer(`no answer for ${ms} ms`);
