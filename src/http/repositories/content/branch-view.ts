import type { Queryable } from '../../../database/database.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import type { Pusher } from '../../../domain/repositories/branch-protections.js';
import type { CommitFacts } from '../../../git/port/objects.js';
import { listTeamIdsIn } from '../../../queries/repositories/branches.js';
import { listBranchProtections } from '../../../queries/repositories/branch-protections.js';
import type { Actions } from '../../actions.js';
import type { Caller, Principal } from '../../caller.js';
import type { RepositoryMet } from '../place.js';
import { ownersOf } from './owners.js';
import type { BranchView } from './present-branch.js';
import { urlsOf } from './urls.js';

type Request = Pick<Actions, 'db' | 'services'> & {
  readonly caller: Caller;
  readonly parent: RepositoryMet;
};

/** All that branches with these tips are presented with, in three queries however many they are. */
export async function branchView(
  { db, services, caller, parent }: Request,
  tips: readonly CommitFacts[],
): Promise<BranchView> {
  const [ownerOf, rules, pusher] = await Promise.all([
    ownersOf(db, tips, caller),
    listBranchProtections(db, parent.repository.id),
    caller && pusherOf(db, parent, caller),
  ]);
  const urls = urlsOf(parent.repository, services.config.baseUrl);
  return { urls, ownerOf, rules, pusher, rank: parent.rank };
}

/** The caller, to the rules of protected branches. */
export const pusherOf = async (
  db: Queryable,
  { repository, units }: RepositoryMet,
  { accountId }: Principal,
): Promise<Pusher> => ({
  accountId,
  teamIds: await listTeamIdsIn(db, repository.owner_id, accountId),
  writes: units['repo.code'] >= rankOf('write'),
});
