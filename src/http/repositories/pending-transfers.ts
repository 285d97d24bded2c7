import type { z } from 'zod';
import { findAccountsById } from '../../queries/accounts/accounts.js';
import { findTeamsById } from '../../queries/organizations/teams.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { presentUsers } from '../accounts/presenter.js';
import type { Caller } from '../caller.js';
import { presentTeamRow } from '../organizations/presenter.js';
import type { PresenterServices } from '../services.js';
import type { Repository } from './schema.js';

type PresentedTransfer = NonNullable<z.output<typeof Repository>['repo_transfer']>;

/** What is being transferred among these repositories, by id; nothing of which an account is gone. */
export async function presentTransfers(
  rows: readonly RepositoryRow[],
  caller: Caller,
  services: PresenterServices,
): Promise<ReadonlyMap<number, PresentedTransfer>> {
  const pending = rows.flatMap(({ transfer }) => transfer ?? []);
  if (pending.length === 0) return new Map();
  const { db } = services;
  const [accounts, teams] = await Promise.all([
    findAccountsById(
      db,
      pending.flatMap(({ requester_id, recipient_id }) => [requester_id, recipient_id]),
    ),
    findTeamsById(
      db,
      pending.flatMap(({ team_ids }) => team_ids),
    ),
  ]);
  const users = await presentUsers([...accounts.values()], caller, services);
  const userOf = new Map(users.map((user) => [user.id, user]));
  const presented = new Map<number, PresentedTransfer>();
  for (const { repository_id, requester_id, recipient_id, team_ids } of pending) {
    const doer = userOf.get(requester_id);
    const recipient = userOf.get(recipient_id);
    const named = team_ids.flatMap((id) => teams.get(id) ?? []).map((team) => presentTeamRow(team));
    if (doer && recipient) presented.set(repository_id, { doer, recipient, teams: named });
  }
  return presented;
}
