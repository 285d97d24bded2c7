import type { Queryable } from '../../../database/queryable.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import type { Pusher } from '../../../domain/repositories/branch-rules.js';
import type { CommitFacts } from '../../../git/port/objects.js';
import { listTeamIdsIn } from '../../../queries/organizations/teams.js';
import { listBranchProtections } from '../../../queries/repositories/branch-protections.js';
import type { Caller, Principal } from '../../caller.js';
import type { RepositoryMet, RepositoryRequest } from '../place.js';
import { ownersOf, type OwnerServices } from './owners.js';
import type { BranchView } from './present-branch.js';
import { urlsOf } from './urls.js';
import { verifierOf } from './verification.js';

/** Reads what branches with these tips are presented with, by a few queries for all branches together. */
export async function branchView(
  { db, services, caller, parent }: RepositoryRequest,
  tips: Promise<readonly CommitFacts[]>,
): Promise<BranchView> {
  const ruled = listBranchProtections(db, parent.repository.id);
  const [people, rules, pusher] = await Promise.all([
    tips.then((commits) => peopleOf({ db, services }, commits, caller)),
    ruled,
    caller && ruled.then(([rule]) => (rule ? pusherOf(db, parent, caller) : pusherIn([], parent, caller))),
  ]);
  const urls = urlsOf(parent.repository, services.config.baseUrl);
  return { urls, ...people, rules, pusher, rank: parent.rank };
}

/** Finds the accounts behind the commits, and what verifies their signatures. */
async function peopleOf(own: OwnerServices, commits: readonly CommitFacts[], caller: Caller) {
  const ownerOf = await ownersOf(own, commits, caller);
  return { ownerOf, verify: await verifierOf(own.db, commits, ownerOf) };
}

/** Returns the caller as the rules of protected branches need it. */
export const pusherOf = async (db: Queryable, met: RepositoryMet, caller: Principal): Promise<Pusher> =>
  pusherIn(await listTeamIdsIn(db, met.repository.owner_id, caller.accountId), met, caller);

const pusherIn = (
  teamIds: readonly number[],
  { units }: RepositoryMet,
  { accountId }: Principal,
): Pusher => ({ accountId, teamIds, writes: units['repo.code'] >= rankOf('write') });
