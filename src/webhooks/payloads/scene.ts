import type { z } from 'zod';
import type { EventMetadata } from '../../domain/metadata.js';
import { presentUser } from '../../http/accounts/presenter.js';
import type { User } from '../../http/accounts/schema.js';
import { ghost } from '../../http/accounts/special-users.js';
import { presentRepository } from '../../http/repositories/presenter.js';
import type { Repository } from '../../http/repositories/schema.js';
import { findAccountById, type AccountRow } from '../../queries/accounts/accounts.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import type { PayloadServices } from './services.js';

/** What the payloads of one event have in common, as an anonymous viewer sees it. */
export interface Scene {
  readonly services: PayloadServices;
  readonly repository: RepositoryRow;
  /** Returns the fields that every body has: the repository and the actor. */
  readonly common: () => Promise<{
    readonly repository: z.output<typeof Repository>;
    readonly sender: z.output<typeof User>;
  }>;
}

/** Makes the scene of an event. If the server acted by itself, the repository's owner is the sender. */
export function sceneOf(
  { actor }: Pick<EventMetadata, 'actor'>,
  repository: RepositoryRow,
  services: PayloadServices,
): Scene {
  let common: ReturnType<Scene['common']> | undefined;
  return {
    services,
    repository,
    common: () =>
      (common ??= Promise.all([
        presentRepository(repository, undefined, services),
        actor ? findAccountById(services.db, actor.id) : repository.owner,
      ]).then(([presented, sender]) => ({
        repository: presented,
        sender: shown(sender ?? ghost, services),
      }))),
  };
}

/** Presents a user as an anonymous viewer sees it. */
export const shown = (row: AccountRow, { config }: Pick<PayloadServices, 'config'>) =>
  presentUser(row, undefined, { viewer: undefined, baseUrl: config.baseUrl });
