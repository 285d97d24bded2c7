import type { Queryable } from '../database/queryable.js';
import { DomainError } from '../domain/errors.js';
import { allows } from '../domain/accounts/scopes.js';
import { rankOf } from '../domain/organizations/team-access.js';
import type { Caller, Principal } from '../http/caller.js';
import { isOwner, organizationNamed } from '../http/organizations/place.js';
import { isMoved, refuseToTell } from '../http/moved.js';
import { Refused, signInRequired } from '../http/refused.js';
import { repositoryAt, type RepositoryMet } from '../http/repositories/place.js';
import type { Services } from '../http/services.js';
import type { GitRequest } from './route.js';

/** Replaces 404 for callers who see all of the owner's repositories, from whom the absence need not be hidden. */
export class PushCreatesNothing extends Refused {
  constructor() {
    super(403, 'there is no such repository, and pushing does not create it');
  }
}

/**
 * Admits a caller to a repository, or throws the answer for the git client. An anonymous caller is asked to sign in
 * whether or not the repository exists, so that the answer does not reveal it; a signed-in caller without access gets 404.
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

  const met = await repositoryAt({ db, caller, params: { owner, repo } }).catch(async (error: unknown) => {
    if (isMoved(error)) refuseToTell(error, caller);
    if (!(error instanceof DomainError) || error.kind !== 'not-found') throw error;
    if (writes && caller && (await seesAllOf(db, owner, caller))) throw new PushCreatesNothing();
    throw absent(caller);
  });
  const { repository } = met;
  const code = repository.units.includes('repo.code') ? met.units['repo.code'] : 0;
  if (code < rankOf('read')) throw absent(caller);
  const ownerState = await vault.credentials.state(repository.owner_id);
  if (ownerState && !ownerState.active) throw new Refused(403, 'the owner of the repository is not active');
  if (!writes) return met;

  if (!caller) throw signInRequired();
  if (code < rankOf('write')) throw new Refused(403, 'you may not write to this repository');
  if (repository.archived_at) throw new Refused(403, 'the repository is archived');
  if (repository.mirror) throw new Refused(403, 'the repository is a mirror: it follows another one');
  return met;
}

const absent = (caller: Caller): Refused =>
  caller ? new Refused(404, 'no such repository') : signInRequired();

/** Tells whether the caller sees every repository of the owner with this name. */
async function seesAllOf(db: Queryable, owner: string, caller: Principal): Promise<boolean> {
  if (caller.isAdmin || owner.toLowerCase() === caller.name.toLowerCase()) return true;
  const organization = await organizationNamed(db, owner, caller);
  return organization !== undefined && isOwner(organization);
}
