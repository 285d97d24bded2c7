import { DomainError } from '../domain/errors.js';
import { allows } from '../domain/accounts/scopes.js';
import { rankOf } from '../domain/organizations/team-access.js';
import type { Caller } from '../http/caller.js';
import { Refused, signInRequired } from '../http/refused.js';
import { repositoryAt, type RepositoryMet } from '../http/repositories/place.js';
import type { Services } from '../http/services.js';
import type { GitRequest } from './route.js';

/**
 * Lets a caller at a repository, or throws what git is told instead. Who has not signed in is asked
 * to where signing in might help, so that it does not show what exists; who has and sees nothing finds nothing.
 */
export async function admit(
  { db, config, vault }: Pick<Services, 'db' | 'config' | 'vault'>,
  { owner, repo, service }: Pick<GitRequest, 'owner' | 'repo' | 'service'>,
  caller: Caller,
): Promise<RepositoryMet> {
  const writes = service === 'git-receive-pack';
  if (!caller && config.requireSignIn) throw signInRequired();
  if (
    caller &&
    caller.scopes !== 'unlimited' &&
    !allows(caller.scopes, writes ? 'write' : 'read', 'repository')
  )
    throw new Refused(403, `the token may not ${writes ? 'write to' : 'read'} repositories`);

  const met = await repositoryAt({ db, caller, params: { owner, repo } }).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.kind !== 'not-found') throw error;
    throw absent(owner, writes, caller);
  });
  const { repository } = met;
  const code = repository.units.includes('repo.code') ? met.units['repo.code'] : 0;
  if (code < rankOf('read')) throw absent(undefined, writes, caller);
  const ownerState = await vault.credentials.state(repository.owner_id);
  if (ownerState && !ownerState.active) throw new Refused(403, 'the owner of the repository is not active');
  if (!writes) return met;

  if (!caller) throw signInRequired();
  if (code < rankOf('write')) throw new Refused(403, 'you may not write to this repository');
  if (repository.archived_at) throw new Refused(403, 'the repository is archived');
  if (repository.mirror) throw new Refused(403, 'the repository is a mirror: it follows another one');
  return met;
}

/** Among one's own repositories a missing one is no secret: the client learns that pushing does not create it. */
function absent(owner: string | undefined, writes: boolean, caller: Caller): Refused {
  if (!caller) return signInRequired();
  if (writes && owner?.toLowerCase() === caller.name.toLowerCase())
    return new Refused(403, 'there is no such repository, and pushing does not create it');
  return new Refused(404, 'no such repository');
}
