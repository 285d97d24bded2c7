import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '../concurrency/unless-aborted.js';
import type { Queryable } from '../database/queryable.js';
import { START, type Position } from '../event-store/event-store.js';
import { readProgress } from './progress.js';

/** What a new connection must show, and how long to wait for it. */
export interface CaughtUpOptions {
  readonly log: { lastPosition(): Promise<Position> };
  /** The schema of each projection, by its name. */
  readonly schemas: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 20;

/**
 * Resolves once a new connection shows everything that the log held when it was opened; rejects when `signal` is aborted.
 * The server behind it may have crashed after writes were answered, which takes back the last commits of read models;
 * after that, what it shows only grows. Stopped projections are not waited for.
 */
export async function caughtUp(
  connection: Queryable,
  { log, schemas, signal }: CaughtUpOptions,
): Promise<void> {
  const end = await unlessAborted(log.lastPosition(), signal);
  if (end === undefined) throw new Error('the log does not say what it holds');
  for (;;) {
    const { positions, stopped } = await readProgress(connection, schemas);
    const behind = Object.keys(schemas).filter(
      (name) => !stopped.has(name) && (positions.get(name) ?? START) < end,
    );
    if (behind.length === 0) return;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch((cause: unknown) => {
      throw new Error(`behind the log: ${behind.join(', ')}`, { cause });
    });
  }
}
