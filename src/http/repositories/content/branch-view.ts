import type { Queryable } from '../../../database/database.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import type { Pusher } from '../../../domain/repositories/branch-rules.js';
import type { CommitFacts } from '../../../git/port/objects.js';
import { listTeamIdsIn } from '../../../queries/organizations/teams.js';
import { listBranchProtections } from '../../../queries/repositories/branch-protections.js';
import type { Caller, Principal } from '../../caller.js';
import type { RepositoryMet, RepositoryRequest } from '../place.js';
import { ownersOf } from './owners.js';
import type { BranchView } from './present-branch.js';
import { urlsOf } from './urls.js';
import { verifierOf } from './verification.js';

/** All that branches with these tips are presented with: three queries however many they are, two without the tips. */
export async function branchView(
  { db, services, caller, parent }: RepositoryRequest,
  tips: Promise<readonly CommitFacts[]>,
): Promise<BranchView> {
  const [people, rules, pusher] = await Promise.all([
    tips.then((commits) => peopleOf(db, commits, caller)),
    listBranchProtections(db, parent.repository.id),
    caller && pusherOf(db, parent, caller),
  ]);
  const urls = urlsOf(parent.repository, services.config.baseUrl);
  return { urls, ...people, rules, pusher, rank: parent.rank };
}

/** The accounts behind the commits, and what verifies their signatures. */
async function peopleOf(db: Queryable, commits: readonly CommitFacts[], caller: Caller) {
  const ownerOf = await ownersOf(db, commits, caller);
  return { ownerOf, verify: await verifierOf(db, commits, ownerOf) };
}

/** The caller, as the rules of protected branches look at it. */
export const pusherOf = async (
  db: Queryable,
  { repository, units }: RepositoryMet,
  { accountId }: Principal,
): Promise<Pusher> => ({
  accountId,
  teamIds: await listTeamIdsIn(db, repository.owner_id, accountId),
  writes: units['repo.code'] >= rankOf('write'),
});
