import { Repository } from '../../domain/repositories/repository.js';
import { viewerOf } from '../../http/repositories/place.js';
import { findHookById, type HookRow } from '../../queries/hooks/hooks.js';
import { findRepositoryById } from '../../queries/repositories/repositories.js';
import type { HookTarget } from '../planned.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'vault' | 'commands'>;

/**
 * Where a hook sends now; undefined where it is gone or inactive, the repository that is told of is not its place's any
 * more, or the vault has lost a secret of it. A repository that was deleted is its last owner's for good; hooks of the whole
 * server are told of all.
 */
export async function findHookTarget(
  services: Services,
  hookId: number,
  repositoryId?: number,
): Promise<HookTarget | undefined> {
  const { db, vault } = services;
  // Asked at once, since deliveries of a hook wait for each other.
  const [hook, ownerId, secrets] = await Promise.all([
    findHookById(db, hookId),
    repositoryId === undefined ? undefined : ownerOf(services, repositoryId),
    vault.hookSecrets.findEach([hookId]),
  ]);
  if (!hook?.is_active) return undefined;
  if (repositoryId !== undefined && !reaches(hook, repositoryId, ownerId)) return undefined;
  const target = targetWith(hook, secrets);
  if (target) return target;
  const now = await findHookById(db, hookId); // its secrets may have been replaced in that moment
  return now?.is_active ? targetWith(now, await vault.hookSecrets.findEach([hookId])) : undefined;
}

/** Who has a repository, or had it in the end. */
async function ownerOf({ db, commands }: Services, repositoryId: number): Promise<number> {
  const repository = await findRepositoryById(db, repositoryId, viewerOf(undefined));
  return repository?.owner_id ?? (await commands.load(Repository, repositoryId)).state.ownerId;
}

/** Where a hook sends, with its secrets in clear; undefined where one of them is not among those that are kept. */
function targetWith(hook: HookRow, kept: ReadonlyMap<string, string>): HookTarget | undefined {
  const [secret, authorizationHeader] = [hook.secret_id, hook.authorization_id].map((id) =>
    id === null ? '' : kept.get(id),
  );
  if (secret === undefined || authorizationHeader === undefined) return undefined;
  return {
    url: hook.url,
    contentType: hook.content_type,
    ...(secret !== '' && { secret }),
    ...(authorizationHeader !== '' && { authorizationHeader }),
  };
}

const reaches = (hook: HookRow, repositoryId: number, ownerId: number | undefined): boolean =>
  hook.scope === 'system' || hook.owner_id === (hook.scope === 'repository' ? repositoryId : ownerId);
