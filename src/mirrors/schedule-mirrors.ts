import { systemCommand } from '../commands/context.js';
import { pullMirror, type PullServices } from '../commands/repositories/pull-mirror.js';
import type { Queryable } from '../database/queryable.js';
import { isPullDue } from '../domain/repositories/mirroring.js';
import { Repository } from '../domain/repositories/repository.js';
import type { Logger } from '../logging/logger.js';
import { listDueMirrors } from '../queries/repositories/mirrors.js';
import type { Vault } from '../vault/vault.js';
import { MirrorSchedule } from './schedule.js';

/**
 * What pulls need; `db` lists what is due, and `vault` also provides the lock that keeps other processes from the same
 * round.
 */
export interface MirrorServices extends PullServices {
  readonly db: Queryable;
  readonly vault: Vault;
  readonly logger: Logger;
}

/** Creates the schedule of automatic pulls; the caller must start it. */
export const scheduleMirrors = (services: MirrorServices): MirrorSchedule =>
  new MirrorSchedule({
    due: (limit) => listDueMirrors(services.db, new Date(), limit),
    pull: async (mirror) => {
      // Read models may be behind and still show a mirror as due that has been pulled.
      const { state } = await services.commands.load(Repository, mirror.repositoryId);
      const now = new Date();
      if (!isPullDue(state, now)) return;
      await pullMirror(services, mirror, systemCommand(now.toISOString()));
    },
    alone: async (work) => {
      await services.vault.tryWithKeyLock('scheduled mirrors', work);
    },
    logger: services.logger,
  });
