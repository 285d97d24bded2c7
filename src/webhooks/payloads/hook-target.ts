import { viewerOf } from '../../http/repositories/place.js';
import { findHookById, type HookRow } from '../../queries/hooks/hooks.js';
import { findRepositoryById, type RepositoryRow } from '../../queries/repositories/repositories.js';
import type { HookSecret } from '../../vault/hook-secrets.js';
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
  const { db, vault } = services;
  // Asked at once, since deliveries of a hook wait for each other.
  const [hook, repository, secrets] = await Promise.all([
    findHookById(db, hookId),
    repositoryId === undefined ? undefined : findRepositoryById(db, repositoryId, viewerOf(undefined)),
    vault.hookSecrets.find(hookId),
  ]);
  if (!hook?.is_active) return undefined;
  if (repositoryId !== undefined && !reaches(hook, repository)) return undefined;
  return targetWith(hook, secrets);
}

/** Where a hook sends, with its secrets in clear. */
export const targetOf = async ({ vault }: Pick<Services, 'vault'>, hook: HookRow): Promise<HookTarget> =>
  targetWith(hook, await vault.hookSecrets.find(hook.id));

function targetWith(hook: HookRow, { secret, authorization }: HookSecret): HookTarget {
  return {
    url: hook.url,
    contentType: hook.content_type,
    ...(secret !== '' && { secret }),
    ...(authorization !== '' && { authorizationHeader: authorization }),
  };
}

function reaches(hook: HookRow, repository: RepositoryRow | undefined): boolean {
  if (hook.scope === 'system') return true;
  if (!repository) return false;
  return hook.owner_id === (hook.scope === 'repository' ? repository.id : repository.owner_id);
}
