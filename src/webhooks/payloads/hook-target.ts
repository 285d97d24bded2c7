import { viewerOf } from '../../http/repositories/place.js';
import { findHookById, type HookRow } from '../../queries/hooks/hooks.js';
import { findRepositoryById } from '../../queries/repositories/repositories.js';
import type { HookTarget } from '../planned.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'vault'>;

/**
 * Where a hook sends now; undefined where it is gone or inactive, or the repository that is told of is not its place's
 * any more. Hooks of the whole server are told of all.
 */
export async function findHookTarget(
  services: Services,
  hookId: number,
  repositoryId?: number,
): Promise<HookTarget | undefined> {
  const hook = await findHookById(services.db, hookId);
  if (!hook?.is_active) return undefined;
  if (repositoryId !== undefined && !(await reaches(services, hook, repositoryId))) return undefined;
  return targetOf(services, hook);
}

/** Where a hook sends, with its secrets in clear. */
export async function targetOf({ vault }: Services, hook: HookRow): Promise<HookTarget> {
  const { secret, authorization } = await vault.hookSecrets.find(hook.id);
  return {
    url: hook.url,
    contentType: hook.content_type,
    ...(secret !== '' && { secret }),
    ...(authorization !== '' && { authorizationHeader: authorization }),
  };
}

async function reaches({ db }: Services, hook: HookRow, repositoryId: number): Promise<boolean> {
  if (hook.scope === 'system') return true;
  const repository = await findRepositoryById(db, repositoryId, viewerOf(undefined));
  if (!repository) return false;
  return hook.owner_id === (hook.scope === 'repository' ? repository.id : repository.owner_id);
}
