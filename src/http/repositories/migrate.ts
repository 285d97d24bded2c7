import { z } from 'zod';
import { nameTaken } from '../../commands/repositories/repository-claims.js';
import { createdBefore } from '../../commands/repositories/create-repository.js';
import { migrateRepository } from '../../commands/repositories/migrate-repository.js';
import { invalid } from '../../domain/errors.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import { checkRepositoryName } from '../../domain/repositories/names.js';
import { parseCloneAddress } from '../../outgoing/clone-address.js';
import { findAccountById, type AccountRow } from '../../queries/accounts/accounts.js';
import { findStanding } from '../../queries/organizations/organizations.js';
import { findRepositoryBrief } from '../../queries/repositories/repositories.js';
import { isKnown } from '../accounts/visibility.js';
import type { Queryable } from '../../database/queryable.js';
import { signedIn } from '../access.js';
import type { Principal } from '../caller.js';
import { accountNamed } from '../find.js';
import { refuseNarrowToken } from '../public-only.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { atMost, int64, optional, requiredText } from '../schema.js';
import { owningMore, presentCreated, refusals } from './owning.js';
import { mirrorInterval } from './mirror-interval.js';
import { viewerOf, visibilityOf } from './place.js';
import { Repository } from './schema.js';

const flag = optional(z.boolean());
const text = optional(z.string());

/** MigrateRepoForm. Fields for data outside git, such as issues, are accepted, but that data is not imported. */
const MigrateRepoForm = z
  .object({
    clone_addr: requiredText,
    repo_name: requiredText,
    repo_owner: text,
    uid: optional(int64),
    service: text,
    auth_username: text,
    auth_password: text,
    auth_token: text,
    private: flag,
    description: optional(atMost(2048)),
    mirror: flag,
    mirror_interval: text,
    lfs: flag,
    lfs_endpoint: text,
    wiki: flag,
    milestones: flag,
    labels: flag,
    issues: flag,
    pull_requests: flag,
    releases: flag,
  })
  .meta({ id: 'MigrateRepoForm' });

type Owner = { readonly repo_owner?: string | undefined; readonly uid?: bigint | undefined };

/** Finds the new repository's owner. Throws 422 if the caller may not know of the account, and 403 if not its owner. */
async function ownerOf(db: Queryable, caller: Principal, named: Owner): Promise<AccountRow> {
  const owner = await findOwner(db, caller, named);
  if (!owner) throw ownerAbsent();
  if (owner.id === caller.accountId || caller.isAdmin) return owner;
  const { rank } = await findStanding(db, owner.id, caller.accountId);
  if (rank !== null && rank >= rankOf('owner')) return owner;
  if (rank === null && !(await isKnown(db, owner, caller))) throw ownerAbsent();
  throw new Refused(403, 'only an owner of the account may migrate into it');
}

const ownerAbsent = () => invalid('migration.owner_absent', 'RepoOwner', 'no such account');

function findOwner(
  db: Queryable,
  caller: Principal,
  { repo_owner: name = '', uid = 0n }: Owner,
): Promise<AccountRow | undefined> {
  if (name !== '') return accountNamed(db, name);
  if (uid === 0n) return findAccountById(db, caller.accountId);
  return uid > 0n && uid <= Number.MAX_SAFE_INTEGER
    ? findAccountById(db, Number(uid))
    : Promise.resolve(undefined);
}

export const migrateRoutes = [
  route({
    id: 'repoMigrate',
    method: 'POST',
    path: '/repos/migrate',
    access: signedIn,
    scope: 'repository',
    body: MigrateRepoForm,
    answers: { 201: Repository, ...refusals },
    async handle(request) {
      const { body, caller, context, db, services } = request;
      const { repo_name: name, private: isPrivate = false, description = '' } = body;
      const { migrations, mirrors } = services.config.copies;
      if (!migrations) throw new Refused(403, 'migrations are switched off');
      if (body.mirror && !mirrors) throw new Refused(403, 'new mirrors are switched off');
      const owner = await ownerOf(db, caller, body);
      refuseNarrowToken(visibilityOf({ is_private: isPrivate, owner }), caller);
      checkRepositoryName(name, 'RepoName');
      const interval = body.mirror ? mirrorInterval(body.mirror_interval ?? '') : undefined;
      const make = async () => {
        if (!(await createdBefore(services, context))) {
          await services.storage.checkRoom(owner.id, subjectOf({ isPrivate }), context);
          if (await findRepositoryBrief(db, owner.name ?? '', name, viewerOf(caller))) throw nameTaken();
        }
        const remote = parseCloneAddress(body.clone_addr, {
          username: body.auth_username,
          password: body.auth_password,
          token: body.auth_token,
        });
        const repository = {
          ownerId: owner.id,
          creatorId: caller.accountId,
          name,
          description,
          isPrivate,
          remote,
          ...(interval !== undefined && { mirror: { intervalSeconds: interval, prune: true } }),
        };
        return migrateRepository(services, repository, context);
      };
      const created = await owningMore(request, owner.id, make, 'invalid');
      return presentCreated(request, created);
    },
  }),
];
