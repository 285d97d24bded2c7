import { once } from 'node:events';
import { ConfigError, type Config, type ServiceConfig } from '../config.js';
import type { Logger } from '../logger.js';
import { makeDataDir } from '../make-data-dir.js';
import { pause } from '../pause.js';
import { OtherVaultKey } from '../vault/people.js';
import { DatabaseLease } from './database-lease.js';
import { lockData } from './data-lock.js';
import { freePort } from './free-port.js';
import { serviceEnvironment } from './service-environment.js';
import { SupervisedChild, type ChildProgram } from './supervised-child.js';
import { dropVaultKey, hasVaultKey, vaultKey } from './vault-key.js';

/** What `supervise` runs: the configuration, the programs, what comes before them, and who is told. */
export interface Installation {
  readonly config: Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Logger;
  /** Started together, stopped one after the other from the last to the first. */
  readonly children: readonly ChildProgram[];
  /** Brings the database to where the children can run on it. Told to stop, nobody waits for it for long. */
  readonly prepare: (config: ServiceConfig) => Promise<void>;
  /** Called once, when every child is ready. */
  onReady(address: string): void;
  /** Aborted to stop everything. */
  readonly stop: AbortSignal;
  /** Aborted to stop without waiting for anybody. */
  readonly kill: AbortSignal;
}

/** No key was given, and the one that was made opens nothing. */
const KEY_IS_MISSING =
  'VAULT_KEY is not set, there is no DATA_DIR/vault.key, and the vault was sealed with a key: put that one back. A back-up holds it as keys/vault.key';

/** From the order to stop until what comes before the children is cut off: it may wait for a database that says nothing. */
const STOP_PREPARING_WITHIN_MS = 5_000;
/** From the order to stop to the last child's end: of ten seconds in all, closing the database has what is left. */
const STOP_CHILDREN_WITHIN_MS = 8_000;

/**
 * Runs the installation until `stop` is aborted and everything has ended, but a PostgreSQL that was only starting: it
 * ends by itself, as nobody holds it. Rejects when it cannot start, then with nothing left running.
 */
export async function supervise(installation: Installation): Promise<void> {
  const { config, log, stop } = installation;
  await makeDataDir(config.dataDir);
  const lock = await lockData(config.dataDir);
  try {
    const database = await inTime(installation, () => DatabaseLease.take(config, log));
    if (!database) return;
    try {
      const makesKey = config.vaultKey === undefined && !hasVaultKey(config.dataDir);
      const settled = await settle(config, database.url);
      await inTime(installation, () => installation.prepare(settled)).catch(async (error: unknown) => {
        if (!makesKey || !((error as Error).cause instanceof OtherVaultKey)) throw error;
        await dropVaultKey(config.dataDir);
        throw new ConfigError([KEY_IS_MISSING], { cause: error });
      });
      if (!stop.aborted) await runChildren(installation, settled, lock.fd);
    } finally {
      await database.release();
    }
  } finally {
    lock.release();
  }
}

/** Fills in what the configuration left open. */
async function settle(config: Config, databaseUrl: string): Promise<ServiceConfig> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  return {
    ...config,
    port,
    baseUrl: config.port === 0 ? config.baseUrl.replace(/:0$/, `:${port}`) : config.baseUrl,
    databaseUrl,
    vaultKey: config.vaultKey ?? (await vaultKey(config.dataDir)),
  };
}

/** What comes of `work`; undefined where the order to stop came before it, or while it takes too long. */
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
    const overdue = new AbortController(); // not AbortSignal.timeout(): what `any` alone holds may be collected
    const timer = setTimeout(() => {
      overdue.abort();
    }, STOP_CHILDREN_WITHIN_MS);
    const deadline = AbortSignal.any([overdue.signal, installation.kill]);
    for (const child of children.toReversed()) await child.stop(deadline);
    clearTimeout(timer);
  }
}
