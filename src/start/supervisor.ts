import { once } from 'node:events';
import type { Config, ServiceConfig } from '../config.js';
import type { Logger } from '../logging/logger.js';
import { makeDataDir } from '../files/make-data-dir.js';
import { pause } from '../concurrency/pause.js';
import { DatabaseLease } from './database-lease.js';
import { lockData } from './data-lock.js';
import { freePort } from './free-port.js';
import { serviceEnvironment } from './service-environment.js';
import { SupervisedChild, type ChildProgram } from './supervised-child.js';
import { withVaultKey } from './with-vault-key.js';

/** The input of `supervise`: configuration, programs, what has to run before them, and callbacks. */
export interface Installation {
  readonly config: Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Logger;
  /** Started together; stopped one by one, from the last to the first. */
  readonly children: readonly ChildProgram[];
  /** Prepares the database for the children. After an order to stop, it is abandoned if it takes long. */
  readonly prepare: (config: ServiceConfig) => Promise<void>;
  /** Called once, when all children are ready. */
  onReady(address: string): void;
  /** Aborting it stops everything. */
  readonly stop: AbortSignal;
  /** Aborting it stops everything without waiting. */
  readonly kill: AbortSignal;
}

/** How long preparation may continue after the order to stop: it may be waiting for a database that does not answer. */
const STOP_PREPARING_WITHIN_MS = 5_000;
/** How long the children may take to stop. Ten seconds are allowed in all; the rest is for closing the database. */
const STOP_CHILDREN_WITHIN_MS = 8_000;

/**
 * Runs the installation until `stop` is aborted and everything has ended. Only a PostgreSQL that was still starting, or
 * stood still, may remain, and ends by itself because nobody holds a lease of it. Rejects if the start fails, with nothing
 * left running.
 */
export async function supervise(installation: Installation): Promise<void> {
  const { config, log, stop } = installation;
  await makeDataDir(config.dataDir);
  const lock = await lockData(config.dataDir);
  try {
    const database = await inTime(installation, () => DatabaseLease.take(config, log));
    if (!database) return;
    try {
      const settled = await withVaultKey(config, async (vaultKey) => {
        const service = await settle(config, database.url, vaultKey);
        await inTime(installation, () => installation.prepare(service));
        return service;
      });
      if (!stop.aborted) await runChildren(installation, settled, lock.fd);
    } finally {
      await database.release();
    }
  } finally {
    lock.release();
  }
}

/** Fills in the settings that the configuration leaves open. */
async function settle(config: Config, databaseUrl: string, vaultKey: Buffer): Promise<ServiceConfig> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  return {
    ...config,
    port,
    baseUrl: config.port === 0 ? config.baseUrl.replace(/:0$/, `:${port}`) : config.baseUrl,
    databaseUrl,
    vaultKey,
  };
}

/** Returns the result of `work`; undefined if the order to stop came before, or if `work` takes too long after it. */
async function inTime<T>({ stop, kill }: Installation, work: () => Promise<T>): Promise<T | undefined> {
  if (stop.aborted) return undefined;
  const done = new AbortController();
  const working = work().finally(() => {
    done.abort();
  });
  const tooLate = once(stop, 'abort', { signal: done.signal }).then(
    async () => {
      await pause(STOP_PREPARING_WITHIN_MS, AbortSignal.any([kill, done.signal]));
      return done.signal.aborted ? working : undefined;
    },
    () => working,
  );
  return Promise.race([working, tooLate]);
}

async function runChildren(installation: Installation, config: ServiceConfig, lockFd: number): Promise<void> {
  const { log, stop } = installation;
  const environment = serviceEnvironment(installation.environment, config);
  const children = installation.children.map(
    (program) => new SupervisedChild(program, environment, lockFd, log),
  );
  const stopped = new Promise<void>((resolve) =>
    stop.addEventListener('abort', () => resolve(), { once: true }),
  );
  try {
    const ready = Promise.all(children.map((child) => child.start()));
    const messages = await Promise.race([ready, stopped]);
    if (!messages) return;
    installation.onReady(messages.find(({ address }) => address !== undefined)?.address ?? config.baseUrl);
    await stopped;
  } finally {
    log.info('stopping');
    const overdue = new AbortController(); // not AbortSignal.timeout(): one held by `any` alone may be collected
    const timer = setTimeout(() => {
      overdue.abort();
    }, STOP_CHILDREN_WITHIN_MS);
    const deadline = AbortSignal.any([overdue.signal, installation.kill]);
    for (const child of children.toReversed()) await child.stop(deadline);
    clearTimeout(timer);
  }
}
