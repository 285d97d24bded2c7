import type { CommandHandler } from '../../commands/handle.js';
import type { CommitCache } from '../../commit-cache/commit-cache.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Git } from '../../git/git.js';
import type { PresenterServices } from '../../http/services.js';

/** The services that payloads are made with. */
export interface PayloadServices extends PresenterServices {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly commands: Pick<CommandHandler, 'load'>;
  readonly git: Pick<Git, 'commits' | 'newCommits' | 'tagObjects' | 'peel' | 'changedFiles'>;
  readonly commitCache: CommitCache;
}
