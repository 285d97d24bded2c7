import { systemCommand } from '../commands/context.js';
import { pullMirror, type PullServices } from '../commands/repositories/pull-mirror.js';
import type { Queryable } from '../database/database.js';
import { isPullDue } from '../domain/repositories/mirroring.js';
import { Repository } from '../domain/repositories/repository.js';
import type { Logger } from '../logger.js';
import { listDueMirrors } from '../queries/repositories/mirrors.js';
import type { Vault } from '../vault/vault.js';
import { MirrorSchedule } from './schedule.js';

/**
 * What a pull takes, `db` for what is due, and `vault` also for the lock that keeps other processes from the same
 * round.
 */
export interface MirrorServices extends PullServices {
  readonly db: Queryable;
  readonly vault: Vault;
  readonly logger: Logger;
}

/** The pulls that nobody asks for; still to be started. */
export const scheduleMirrors = (services: MirrorServices): MirrorSchedule =>
  new MirrorSchedule({
    due: (limit) => listDueMirrors(services.db, new Date(), limit),
    pull: async (mirror) => {
      // Read models may be behind, and show as due what was pulled long since.
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
