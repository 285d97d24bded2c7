import { viewerOf } from '../../http/repositories/place.js';
import { findHookById, type HookRow } from '../../queries/hooks/hooks.js';
import { findRepositoryById, type RepositoryRow } from '../../queries/repositories/repositories.js';
import type { HookTarget } from '../planned.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'vault'>;

/**
 * Where a hook sends now; undefined where it is gone or inactive, the repository that is told of is not its place's any
 * more, or the vault has lost a secret of it. Hooks of the whole server are told of all.
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
    vault.hookSecrets.findEach([hookId]),
  ]);
  if (!hook?.is_active) return undefined;
  if (repositoryId !== undefined && !reaches(hook, repository)) return undefined;
  const target = targetWith(hook, secrets);
  if (target) return target;
  const now = await findHookById(db, hookId); // its secrets may have been replaced in that moment
  return now?.is_active ? targetOf(services, now) : undefined;
}

/** Where a hook sends, with its secrets in clear; undefined where the vault has lost one of them. */
export const targetOf = async (
  { vault }: Pick<Services, 'vault'>,
  hook: HookRow,
): Promise<HookTarget | undefined> => targetWith(hook, await vault.hookSecrets.findEach([hook.id]));

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

function reaches(hook: HookRow, repository: RepositoryRow | undefined): boolean {
  if (hook.scope === 'system') return true;
  if (!repository) return false;
  return hook.owner_id === (hook.scope === 'repository' ? repository.id : repository.owner_id);
}
