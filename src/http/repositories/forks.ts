import { z } from 'zod';
import { holderOf } from '../../commands/claimable.js';
import { step } from '../../commands/context.js';
import { createdBefore } from '../../commands/repositories/create-repository.js';
import { forkRepository } from '../../commands/repositories/fork-repository.js';
import { alreadyForked, forkClaim } from '../../commands/repositories/repository-claims.js';
import { invalid } from '../../domain/errors.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import { checkRepositoryName } from '../../domain/repositories/names.js';
import { findAccountById } from '../../queries/accounts/accounts.js';
import { findForkOf, listForks } from '../../queries/repositories/forks.js';
import { signedInHere } from '../access.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { isMember, mayKnow, organizationNamed } from '../organizations/place.js';
import { PageQuery } from '../answers/paging.js';
import { isNarrow, refuseNarrowToken } from '../public-only.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { orNothing, problem } from '../schema.js';
import { codeReader } from './access.js';
import { repositoriesPage } from './lists.js';
import { letInto, owningMore, presentCreated, refusals } from './owning.js';
import { repositoryAt, viewerOf, wholeRepositoryAt, type RepositoryMet } from './place.js';
import { Repository } from './schema.js';

/** CreateForkOption. By default the caller owns the fork, and the name is the base's. */
const CreateForkBody = z
  .object({ organization: orNothing(z.string()), name: orNothing(z.string()) })
  .meta({ id: 'CreateForkOption' });

/**
 * Finds the owner of the new fork. Throws 422 if the organization does not exist, and 403 if the caller is not a member,
 * or if the owner is not public and the token is limited to what is public.
 */
async function ownerOf(
  { db, caller }: Pick<Actions, 'db'> & { readonly caller: Principal },
  name: string | undefined,
): Promise<number> {
  if (name === undefined) {
    const own = isNarrow(caller) ? await findAccountById(db, caller.accountId) : undefined;
    if (own) refuseNarrowToken(own, caller);
    return caller.accountId;
  }
  const found = await organizationNamed(db, name, caller);
  if (!found || !mayKnow(found, caller))
    throw invalid('fork.organization_absent', 'Organization', 'no such organization');
  refuseNarrowToken(found, caller);
  if (!isMember(found)) throw new Refused(403, 'members of the organization only');
  return found.id;
}

/** Tells whether a fork is private: if its base is, or if the base's owner is, which shows it only to members. */
const isPrivateFork = ({ repository: { is_private, owner } }: RepositoryMet): boolean =>
  is_private || owner.visibility === 'private';

type Forking = Pick<Actions, 'context' | 'db' | 'services'> & {
  readonly caller: Principal;
  readonly parent: RepositoryMet;
};

/**
 * Throws if the owner has a fork already, by the log: one that claimed to be the only one, or one that came by a transfer,
 * which claims nothing: 413 where the owner has no room. Names it to callers who may see it, because clients continue
 * with it.
 */
async function refuseSecond(
  { context, db, services: { commands, storage }, caller, parent }: Forking,
  ownerId: number,
): Promise<void> {
  const { repository } = parent;
  const claim = forkClaim(repository.id, ownerId);
  const fork = await findForkOf(db, repository.id, ownerId, viewerOf(caller));
  const isStill = fork !== undefined && (await claim.outcome(commands, fork.id)) === 'holds it';
  if (!isStill && (await holderOf(commands, claim)) === undefined) return;
  const subject = subjectOf({ isPrivate: isPrivateFork(parent) });
  await storage.checkRoom(ownerId, subject, step(context, 'check room before the fork'));
  const base = `${repository.owner.name}/${repository.name}`;
  throw alreadyForked(
    fork?.name ? ` [uname: ${fork.owner}, repo path: ${base}, fork path: ${fork.owner}/${fork.name}]` : '',
  );
}

export const forkRoutes = [
  route({
    id: 'listForks',
    method: 'GET',
    path: '/repos/{owner}/{repo}/forks',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: PageQuery,
    answers: { 200: z.array(Repository), 403: problem, 404: problem },
    handle(request) {
      const { parent, caller, db } = request;
      const viewer = viewerOf(caller);
      return repositoriesPage(request, (part) => listForks(db, parent.repository.id, viewer, part));
    },
  }),

  route({
    id: 'createFork',
    method: 'POST',
    path: '/repos/{owner}/{repo}/forks',
    access: signedInHere,
    scope: 'repository',
    parent: wholeRepositoryAt,
    body: CreateForkBody,
    answers: { 202: Repository, 404: problem, ...refusals },
    async handle(request) {
      const { parent, body, caller, context, db, services } = request;
      codeReader.admit(caller, { params: {}, parent });
      const { id: baseId, name: baseName, is_empty, languages, languages_of: commit } = parent.repository;
      const { name = baseName } = body;
      const ownerId = await ownerOf(request, body.organization);
      checkRepositoryName(name);
      const isPrivate = isPrivateFork(parent);
      if (!(await createdBefore(services, context))) await refuseSecond(request, ownerId);
      const fork = {
        baseId,
        ownerId,
        creatorId: caller.accountId,
        name,
        isPrivate,
        ...(!is_empty && languages && commit !== null && { languages: { commit, sizes: languages } }),
        ...(await letInto(db, ownerId, caller)),
      };
      const make = () => forkRepository(services, fork, context);
      const created = await owningMore(request, ownerId, make, 'conflict');
      return presentCreated(request, created);
    },
  }),
];
