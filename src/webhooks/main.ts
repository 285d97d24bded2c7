/**
 * The dispatcher process: sends webhooks, closes the issues that commits close, measures languages, erases persons,
 * cleans up the vault, the caches and the disk, and notes the times of a log in EventStoreDB.
 */
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { CommandHandler } from '../commands/handle.js';
import { Storage } from '../commands/quota/storage.js';
import { secretOwners } from '../commands/secret-owners.js';
import { CommitCache } from '../commit-cache/commit-cache.js';
import { connect, WRITER_SILENCE_MS, type Connections } from '../connections.js';
import { keepHouse } from '../database/housekeeping.js';
import { runErasures } from '../erasure/erasures.js';
import { Leftovers } from '../erasure/leftovers.js';
import { keepMarks } from '../event-log/keep-marks.js';
import { openGit } from '../git/open-git.js';
import { AccountFacts } from '../http/accounts/account-facts.js';
import { IssueReferences } from '../issue-references/issue-references.js';
import { followReferences } from '../issue-references/reference-follower.js';
import { followLanguages } from '../languages/language-follower.js';
import { createLogger } from '../logging/logger.js';
import { warning } from '../logging/warning.js';
import { ReadYourWrites } from '../read-your-writes/read-your-writes.js';
import { SnapshotTable } from '../snapshots/snapshot-table.js';
import { runChild } from '../start/child.js';
import { readServiceConfig } from '../start/service-config.js';
import { keepVault } from '../vault/housekeeping.js';
import { derivedKey } from '../vault/keys.js';
import { afterwards } from './afterwards.js';
import { Deliveries } from './deliveries.js';
import { Dispatcher } from './dispatcher.js';
import { freeze } from './frozen-target.js';
import { findHookTarget } from './payloads/hook-target.js';
import { concernsHooks, payloadsFor } from './payloads/payloads.js';
import type { FindHookTarget } from './planned.js';
import { readModelsReached } from './read-models-reached.js';

const NAME = 'tallyforge-dispatcher';
/** How often a busy log is polled. A webhook may be that late, and each read then gets many events. */
const LOOK_EVERY_MS = 20;
/** The projections that no webhook is made from. */
const UNUSED = ['quota', 'quota-history', 'quota-insights', 'account-history'];
const used = projections.filter(({ name }) => !UNUSED.includes(name));
const schemas = Object.fromEntries(used.map((projection) => [projection.name, schemaOf(projection)]));

const stop = new AbortController();
setMaxListeners(0, stop.signal); // the number of concurrent tasks has no fixed bound
let connections: Connections | undefined;
let readModels: ReadYourWrites | undefined;
let running: Promise<unknown> | undefined;

runChild({
  async start() {
    const config = await readServiceConfig(process.env);
    const logger = createLogger({ name: 'dispatcher', level: config.logLevel });
    const onError = warning(logger, 'a connection failed');
    connections = await connect(config, {
      applicationName: NAME,
      searchPath: Object.values(schemas),
      lookEveryMs: LOOK_EVERY_MS,
      silenceMs: WRITER_SILENCE_MS,
      onError,
    });
    const { db, vault, log } = connections;
    const database = {
      url: config.databaseUrl,
      applicationName: NAME,
      onError,
      silenceMs: WRITER_SILENCE_MS,
    };
    readModels = new ReadYourWrites({ database, schemas, onError });
    await Promise.all([vault.start(), readModels.start()]);
    const git = await openGit({ folder: join(config.dataDir, 'repositories') });
    const snapshots = new SnapshotTable(db);
    const commands = new CommandHandler({ log, snapshots: { table: snapshots, onError } });
    const commitCache = new CommitCache(db);
    const accountFacts = new AccountFacts(db);
    const services = { ...connections, config, git, commands, commitCache, accountFacts };
    const storage = new Storage({ commands, limited: config.quota.enabled });
    const reached = readModelsReached(readModels);
    const key = derivedKey(config.vaultKey, 'deliveries');
    const findTarget: FindHookTarget = (hookId, repositoryId) =>
      findHookTarget(services, hookId, repositoryId);
    const dispatcher = new Dispatcher({
      database,
      log,
      logger,
      rules: config,
      key,
      concerns: concernsHooks,
      plan: (event) => payloadsFor(services, event),
      afterwards: afterwards({
        ...services,
        storage,
        deliveries: new Deliveries(db),
        findTarget,
        freeze: (id, target) => freeze(key, id, target),
        reached,
      }),
      reached,
      findTarget,
    });
    const references = new IssueReferences(services);
    const leftovers = new Leftovers(db, vault.answers, commitCache, projections);
    const erasures = { database, log, logger, services, leftovers };
    running = Promise.all([
      dispatcher.run(stop.signal),
      followReferences({ database, log, logger, reached, references }, stop.signal),
      followLanguages({ database, log, logger, reached, services }, stop.signal),
      runErasures(erasures, stop.signal),
      keepVault(vault, secretOwners(services), logger, stop.signal),
      keepHouse(() => commitCache.removeUnused(), logger, stop.signal),
      keepHouse(() => snapshots.removeUnused(), logger, stop.signal),
      keepHouse(() => git.sweep(), logger, stop.signal),
      config.eventStoreUrl && keepMarks(log, logger, stop.signal),
    ]);
    return {};
  },
  async stop() {
    stop.abort();
    await running;
    await readModels?.close();
    await connections?.close();
  },
});
