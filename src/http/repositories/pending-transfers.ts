import type { z } from 'zod';
import { rankOf } from '../../domain/organizations/team-access.js';
import { findTeamsById } from '../../queries/organizations/teams.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { presentGhost, presentUsersById } from '../accounts/presenter.js';
import { isKnown } from '../accounts/visibility.js';
import type { Caller } from '../caller.js';
import { presentTeamRow } from '../organizations/presenter.js';
import { isOutOfReach } from '../public-only.js';
import type { PresenterServices } from '../services.js';
import { viewerOf } from './place.js';
import type { Repository } from './schema.js';

type PresentedTransfer = NonNullable<z.output<typeof Repository>['repo_transfer']>;

/**
 * Presents the pending transfers of these repositories, by repository id, to administrators of the repository and to
 * callers who may know of the recipient; their teams to callers who may know of those. Transfers whose recipient is
 * deleted, or out of reach of the caller's token, are left out.
 */
export async function presentTransfers(
  rows: readonly RepositoryRow[],
  caller: Caller,
  services: PresenterServices,
): Promise<ReadonlyMap<number, PresentedTransfer>> {
  const offered = rows.flatMap(({ transfer, viewer_rank }) =>
    transfer ? [{ ...transfer, viewer_rank }] : [],
  );
  if (offered.length === 0) return new Map();
  const { db, accountFacts } = services;
  const [accounts, teams] = await Promise.all([
    accountFacts.findEach(offered.flatMap(({ requester_id, recipient_id }) => [requester_id, recipient_id])),
    findTeamsById(
      db,
      offered.flatMap(({ team_ids }) => team_ids),
      viewerOf(caller),
    ),
  ]);
  const isTold = await Promise.all(
    offered.map(async ({ recipient_id, viewer_rank }) => {
      const recipient = accounts.get(recipient_id);
      if (!recipient || isOutOfReach(recipient, caller)) return false;
      return viewer_rank >= rankOf('admin') || isKnown(db, recipient, caller);
    }),
  );
  const pending = offered.filter((_, index) => isTold[index]);
  const users = await presentUsersById(accounts.values(), caller, services);
  const presented = new Map<number, PresentedTransfer>();
  for (const { repository_id, requester_id, recipient_id, team_ids } of pending) {
    const doer = users.get(requester_id) ?? presentGhost(services.config.baseUrl);
    const recipient = users.get(recipient_id);
    const named = team_ids.flatMap((id) => teams.get(id) ?? []).map((team) => presentTeamRow(team));
    if (recipient) presented.set(repository_id, { doer, recipient, teams: named });
  }
  return presented;
}
