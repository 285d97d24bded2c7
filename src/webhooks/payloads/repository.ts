import type { DomainEvent } from '../../domain/domain-event.js';
import type { RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import { presentRepository } from '../../http/repositories/presenter.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import type { Occasion } from './occasion.js';
import { findRepositoryEver } from './repository-ever.js';
import { shown, type Scene } from './scene.js';

type Of<Type extends RepositoryEvent['type']> = DomainEvent<Extract<RepositoryEvent, { type: Type }>>;

/**
 * Returns the occasions of a creation. A fork is told to the original's hooks, unless its owner is hidden from whoever has
 * these, and as created only in an organization.
 */
export async function ofCreation({ data }: Of<'RepositoryCreated'>, scene: Scene): Promise<Occasion[]> {
  const created = onRepository('created', scene);
  if (data.baseId === undefined) return [created];
  const original = await findRepositoryEver(scene.services, data.baseId);
  return [
    ...(original ? [onFork(original, scene)] : []),
    ...(scene.repository.owner.kind === 'organization' ? [created] : []),
  ];
}

/** Returns the occasion of a deletion. The repository's own hooks are told too, though they are deleted with it. */
export const ofDeletion = (scene: Scene): Occasion[] => [onRepository('deleted', scene)];

const onFork = (original: RepositoryRow, { services, repository, common }: Scene): Occasion => ({
  key: 'fork',
  event: 'fork',
  eventType: 'fork',
  of: original,
  isHidden: isHidden(repository, original),
  body: async () => ({
    forkee: await presentRepository(original, undefined, services),
    ...(await common()),
  }),
});

const isHidden = (fork: RepositoryRow, original: RepositoryRow): boolean =>
  fork.owner.visibility !== 'public' && fork.owner_id !== original.owner_id;

const onRepository = (action: 'created' | 'deleted', { services, repository, common }: Scene): Occasion => ({
  key: 'repository',
  event: 'repository',
  eventType: 'repository',
  body: async () => ({ action, organization: shown(repository.owner, services), ...(await common()) }),
});
