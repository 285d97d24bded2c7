import type { Config } from '../config.js';
import type { Database } from '../database/database.js';
import type { Claims } from '../commands/claims.js';
import type { CommandHandler } from '../commands/handle.js';
import type { Ids } from '../commands/ids.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Logger } from '../logger.js';
import type { ReadYourWrites } from '../read-your-writes/read-your-writes.js';
import type { Vault } from '../vault/vault.js';

/** What the vault says about an account when it signs in. */
export interface AccountState {
  readonly active: boolean;
  readonly prohibited: boolean;
  readonly mustChangePassword: boolean;
  readonly lastSignIn?: Date | undefined;
}

export type HttpConfig = Pick<
  Config,
  | 'baseUrl'
  | 'quota'
  | 'requireSignIn'
  | 'disableQueryTokens'
  | 'passwordMinLength'
  | 'maxBodyBytes'
  | 'page'
  | 'corsOrigins'
>;

/** What the HTTP layer stands on. */
export interface Services {
  readonly config: HttpConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly db: Pick<Database, 'rows'>;
  readonly log: EventLog;
  readonly vault: Vault;
  readonly commands: CommandHandler;
  readonly claims: Claims;
  readonly ids: Ids;
  readonly readYourWrites: ReadYourWrites;
}
