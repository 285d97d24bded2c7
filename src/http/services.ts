import type { Archives } from '../archives/archives.js';
import type { Config } from '../config.js';
import type { Database } from '../database/database.js';
import type { Claims } from '../commands/claims.js';
import type { IssueOpener } from '../commands/issues/issue-opener.js';
import type { CommandHandler } from '../commands/handle.js';
import type { Ids } from '../commands/ids.js';
import type { RefusalRecorder } from '../commands/quota/refusal-recorder.js';
import type { Storage } from '../commands/quota/storage.js';
import type { GarbageCollector } from '../commands/repositories/garbage-collector.js';
import type { RepositoryLocks } from '../commands/repositories/repository-locks.js';
import type { CommitCache } from '../commit-cache/commit-cache.js';
import type { EditorConfigs } from '../editorconfig/editor-configs.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Git } from '../git/git.js';
import type { Logger } from '../logging/logger.js';
import type { Remotes } from '../mirrors/remotes.js';
import type { MarkdownRenderer } from '../markdown/renderer.js';
import type { ReadYourWrites } from '../read-your-writes/read-your-writes.js';
import type { Vault } from '../vault/vault.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import type { AccountFacts } from './accounts/account-facts.js';

/** The settings that requests depend on, without those of connections and keys. */
export type HttpConfig = Pick<
  Config,
  | 'baseUrl'
  | 'quota'
  | 'copies'
  | 'requireSignIn'
  | 'disableQueryTokens'
  | 'disableHttpGit'
  | 'passwordRules'
  | 'maxBodyBytes'
  | 'maxMarkdownBytes'
  | 'page'
  | 'corsOrigins'
  | 'trustedProxies'
>;

/** The services that presenters need. */
export interface PresenterServices {
  readonly db: Pick<Database, 'rows'>;
  readonly accountFacts: Pick<AccountFacts, 'findEach'>;
  readonly vault: Vault;
  readonly config: Pick<HttpConfig, 'baseUrl'>;
}

/** The services that the HTTP layer depends on. */
export interface Services {
  readonly config: HttpConfig;
  readonly version: string;
  readonly logger: Logger;
  readonly db: Pick<Database, 'rows'>;
  readonly accountFacts: AccountFacts;
  readonly log: EventLog;
  readonly vault: Vault;
  readonly commands: CommandHandler;
  readonly claims: Claims;
  readonly ids: Ids;
  readonly issueOpener: IssueOpener;
  readonly git: Git;
  readonly storage: Storage;
  readonly refusals: Pick<RefusalRecorder, 'flush'>;
  readonly remotes: Remotes;
  readonly repositoryLocks: RepositoryLocks;
  readonly onMoved: GarbageCollector['consider'];
  readonly commitCache: CommitCache;
  readonly archives: Archives;
  readonly editorConfigs: EditorConfigs;
  readonly readYourWrites: Pick<ReadYourWrites, 'wait' | 'connected' | 'edition' | 'shows' | 'checkpoint'>;
  readonly markdown: MarkdownRenderer;
  readonly deliveries: Deliveries;
}
