import { systemCommand } from '../../commands/context.js';
import { recordQuotaDefaults } from '../../commands/quota/record-defaults.js';
import { keepSettling } from '../../commands/quota/settle-reservations.js';
import { recoverRefs } from '../../commands/repositories/recover.js';
import { confirmPosition } from '../../event-store/confirm-position.js';
import type { MirrorSchedule } from '../../mirrors/schedule.js';
import { scheduleMirrors } from '../../mirrors/schedule-mirrors.js';
import { checkHooks } from '../../push/hooks.js';
import { createApp, type AppOptions } from './app.js';
import { openFoundations, type FoundationOptions, type Foundations } from './foundations.js';
import { openServices, type OpenServices } from './open-services.js';
import { fromReplica } from '../reads.js';
import { routesFor } from '../routes.js';
import { listen } from './server.js';
import { lagsOf } from '../system/lags.js';
import { readinessOf, type Readiness } from '../system/readiness.js';

/** The options of an api process; tests set other limits. */
export interface ApiOptions extends FoundationOptions, Pick<AppOptions, 'loginLimits' | 'gitPace'> {}

/** A listening api; `address` includes scheme and port. */
export interface Api {
  readonly address: string;
  /** Answers the requests in progress, then closes every connection. */
  stop(): Promise<void>;
}

/** How long starting waits for the read models to catch up with the log, before the api listens regardless. */
const CAUGHT_UP_WITHIN_MS = 10_000;

/** Opens everything the API needs, and listens. If that fails, closes what it has opened and rejects. */
export async function startApi(options: ApiOptions): Promise<Api> {
  const foundations = await openFoundations(options);
  const stopping = new AbortController();
  let recovered: Promise<unknown> | undefined;
  try {
    const services = await openServices(foundations);
    await catchUp(services, foundations);
    await checkHooks();
    recovered = recover(services, stopping.signal);
    const server = await serve(services, foundations, options);
    return {
      address: server.address,
      async stop() {
        stopping.abort();
        // Together, because a migration may run longer than a supervisor waits for an exit, and none of them is to keep the
        // server open.
        await Promise.all([
          services.remotes.close(),
          services.archives.close(),
          services.garbageCollector.close(),
          server.close(),
        ]);
        await recovered;
        await services.refusals.close();
        await foundations.close();
      },
    };
  } catch (error) {
    stopping.abort();
    await recovered;
    await foundations.close();
    throw error;
  }
}

/** Records the configured quota defaults, and waits until the read models show them and everything before them. */
async function catchUp({ commands, logger }: OpenServices, foundations: Foundations): Promise<void> {
  const { config, connections, readYourWrites } = foundations;
  // Before anything is appended: otherwise what the read models show of a longer log would pass for events of this one.
  const shown = new Set(readYourWrites.shown().values());
  shown.delete(await connections.store.lastPosition()); // rejects if the log does not answer
  for (const position of shown) await confirmPosition(connections.store, position, { maxBatch: 1 });
  const missing = await recordQuotaDefaults(commands, config.quota, systemCommand());
  if (missing.length > 0)
    logger.warn({ groups: missing }, 'QUOTA_DEFAULT_GROUPS names groups that do not exist');
  if (!(await readYourWrites.wait(await connections.store.lastPosition(), CAUGHT_UP_WITHIN_MS)))
    logger.warn('the read models are behind the log: requests wait for them');
}

/**
 * Repairs what crashed processes left half-done, while requests are already served. Goes on settling reservations until
 * aborted. Never rejects.
 */
function recover(services: OpenServices, signal: AbortSignal): Promise<unknown> {
  const { logger } = services;
  return Promise.all([
    recoverRefs(services, (error, repository) => {
      logger.error({ err: error, repository }, 'the refs of a repository are not where the log says');
    }).catch((error: unknown) => {
      logger.error({ err: error }, 'what crashes left is not settled: npm run reconcile does it');
    }),
    keepSettling(services, signal),
  ]);
}

/** Starts the HTTP server and the mirrors' schedule. */
async function serve(
  services: OpenServices,
  foundations: Foundations,
  { loginLimits, gitPace }: ApiOptions,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const { config, metrics, replica } = foundations;
  const reads =
    replica &&
    fromReplica(replica, (source) => {
      metrics.read(source);
    });
  let mirrors: MirrorSchedule | undefined;
  const server = await listen(config, (address) => {
    const served = config.port === 0 ? { ...services, config: { ...config, baseUrl: address } } : services;
    mirrors = scheduleMirrors(served);
    mirrors.start();
    const app = createApp({
      services: served,
      routes: routesFor(config),
      metrics,
      readiness: readiness(foundations),
      ...(loginLimits && { loginLimits }),
      ...(gitPace && { gitPace }),
      ...(reads && { reads }),
    });
    const callback = app.callback();
    return (request, response) => void callback(request, response);
  });
  return {
    address: server.address,
    async close() {
      await Promise.all([mirrors?.stop(), server.close()]);
    },
  };
}

function readiness({ connections: { store, vault }, db, readYourWrites, replica }: Foundations): Readiness {
  return readinessOf({
    pingLog: () => store.ping(),
    pingDatabase: async () => {
      await Promise.all([db.rows('select 1'), vault.ping()]);
      if (!readYourWrites.connected) throw new Error('nothing tells of progress');
    },
    lags: () => lagsOf(store, readYourWrites),
    replica,
  });
}
