import { Repository } from '../../domain/repositories/repository.js';
import { viewerOf } from '../../http/repositories/place.js';
import { findHookById, type HookRow } from '../../queries/hooks/hooks.js';
import { findRepositoryById } from '../../queries/repositories/repositories.js';
import type { HookTarget } from '../planned.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'vault' | 'commands'>;

/**
 * Finds the current target of a hook. Undefined if the hook is deleted or inactive, if the repository no longer belongs to
 * the hook's owner, or if the vault has lost one of its secrets. A deleted repository still belongs to its last owner; hooks
 * of the whole server get deliveries about all repositories.
 */
export async function findHookTarget(
  services: Services,
  hookId: number,
  repositoryId?: number,
): Promise<HookTarget | undefined> {
  const { db, vault } = services;
  // Asked concurrently, because deliveries of a hook wait for each other.
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

/** Returns the owner of a repository, or the last owner of a deleted one. */
async function ownerOf({ db, commands }: Services, repositoryId: number): Promise<number> {
  const repository = await findRepositoryById(db, repositoryId, viewerOf(undefined));
  return repository?.owner_id ?? (await commands.load(Repository, repositoryId)).state.ownerId;
}

/** Returns a hook's target with its secrets in clear text; undefined if one of them is missing in `kept`. */
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
