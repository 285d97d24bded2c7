import { join } from 'node:path';
import { Archives } from '../../archives/archives.js';
import { Claims } from '../../commands/claims.js';
import { CommandHandler } from '../../commands/handle.js';
import { Ids } from '../../commands/ids.js';
import { IssueOpener } from '../../commands/issues/issue-opener.js';
import { RefusalRecorder } from '../../commands/quota/refusal-recorder.js';
import { Storage } from '../../commands/quota/storage.js';
import { GarbageCollector } from '../../commands/repositories/garbage-collector.js';
import { repositoryLookups } from '../../commands/repositories/settle-lookup.js';
import { CommitCache } from '../../commit-cache/commit-cache.js';
import type { ServiceConfig } from '../../config.js';
import { openGit } from '../../git/open-git.js';
import { warning } from '../../logging/warning.js';
import { Remotes } from '../../mirrors/remotes.js';
import { SnapshotTable } from '../../snapshots/snapshot-table.js';
import { AccountFacts } from '../accounts/account-facts.js';
import type { Foundations } from './foundations.js';
import type { Services } from '../services.js';

/** The services of an api. When they are closed, `refusals` comes last, so that everything it counted is recorded. */
export type OpenServices = Services & {
  readonly config: ServiceConfig;
  readonly refusals: RefusalRecorder;
  readonly garbageCollector: GarbageCollector;
};

/** Makes the services from the open connections. */
export async function openServices(foundations: Foundations): Promise<OpenServices> {
  const { config, logger, version, connections, db, readYourWrites } = foundations;
  const { markdown, deliveries, editorConfigs, repositoryLocks } = foundations;
  const { log, vault } = connections;
  const git = await openGit({ folder: join(config.dataDir, 'repositories') });
  const snapshots = {
    table: new SnapshotTable(connections.db),
    onError: warning(logger, 'a snapshot was not kept, or not found'),
  };
  const commands = new CommandHandler({ log, snapshots });
  const refusals = new RefusalRecorder({
    commands,
    onError: warning(logger, 'a refusal for want of room is not recorded'),
  });
  const storage = new Storage({
    commands,
    limited: config.quota.enabled,
    lookups: repositoryLookups({ commands, git }),
    onRefused: refusals.note,
  });
  const garbageCollector = new GarbageCollector({ commands, git, storage, repositoryLocks }, (error, id) => {
    logger.warn({ err: error, repository: id }, 'the garbage of a repository was not collected');
  });
  const { timeoutSeconds, maxBytes } = config.migrations;
  return {
    config,
    logger,
    version,
    db,
    accountFacts: new AccountFacts(db, () => readYourWrites.edition('accounts')),
    readYourWrites,
    markdown,
    deliveries,
    editorConfigs,
    repositoryLocks,
    log,
    vault,
    commands,
    git,
    claims: new Claims({ commands }),
    ids: new Ids({ commands }),
    issueOpener: new IssueOpener(commands),
    storage,
    garbageCollector,
    onMoved: garbageCollector.consider,
    remotes: new Remotes({
      git,
      rules: config,
      limits: { timeoutMs: timeoutSeconds * 1000, maxBytes },
      logger,
    }),
    archives: new Archives({ git, dataDir: config.dataDir, maxBytes: config.archiveCacheBytes }),
    commitCache: new CommitCache(connections.db),
    refusals,
  };
}
