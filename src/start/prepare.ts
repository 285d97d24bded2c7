import {
  ensureFirstAdministrator,
  LogMissing,
  VaultMissing,
} from '../commands/accounts/first-administrator.js';
import { Claims } from '../commands/claims.js';
import { CommandHandler } from '../commands/handle.js';
import { Ids } from '../commands/ids.js';
import { ConfigError, type ServiceConfig } from '../config.js';
import { connect } from '../connections.js';
import type { Logger } from '../logging/logger.js';
import { warning } from '../logging/warning.js';
import { migrate, NotUnicode } from '../migrate/migrate.js';
import { PooledDatabase } from '../migrate/own-sessions.js';
import { OtherVaultKey } from '../vault/people.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

/**
 * The folders of migrations whose schemas are not read models; those are created by the projector, one schema per version.
 */
export const MIGRATION_FOLDERS: readonly string[] = [
  'events',
  'vault',
  'projector',
  'cache',
  'deliveries',
  'issue-references',
  'languages',
  'erasures',
];

/** Migrates the database and creates the first administrator; `say` receives the password if it was generated. */
export async function prepare(
  config: ServiceConfig,
  log: Logger,
  say: (line: string) => void,
): Promise<void> {
  refuseUnfinishedRestore(config.dataDir);
  const migrations = await migrate(config.databaseUrl, MIGRATION_FOLDERS).catch((error: unknown) => {
    throw asConfigError(error);
  });
  for (const migration of migrations) log.info({ migration }, 'migrated');

  const connections = await connect(config, {
    applicationName: 'tallyforge-prepare',
    onError: warning(log, 'a connection failed'),
  });
  try {
    await connections.vault.start();
    const commands = new CommandHandler({ log: connections.log });
    const services = {
      ...connections,
      config,
      commands,
      claims: new Claims({ commands }),
      ids: new Ids({ commands }),
    };
    const made = await ensureFirstAdministrator(services, config.administrator);
    if (made)
      say(`The administrator ${made.username} has the password ${made.password} (shown only this once)`);
  } catch (error) {
    throw asConfigError(error);
  } finally {
    await connections.close();
  }
}

/**
 * Turns errors that only an operator can resolve into configuration errors: a database in another encoding or behind a
 * pooler, and a vault of another key or log.
 */
function asConfigError(error: unknown): unknown {
  const mistakes = [NotUnicode, PooledDatabase, OtherVaultKey, VaultMissing, LogMissing];
  return error instanceof Error && mistakes.some((mistake) => error instanceof mistake)
    ? new ConfigError([error.message], { cause: error })
    : error;
}
