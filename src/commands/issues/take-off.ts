import type { Queryable } from '../../database/queryable.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import {
  listAccountsAssignedIn,
  listNumbersAssigned,
  listRepositoriesAssigned,
} from '../../queries/issues/assigned.js';
import { everybody } from '../../queries/accounts/ties.js';
import { listAssignable } from '../../queries/repositories/collaborators.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';

/** The services for finding out who may still be assigned, and for unassigning the others. */
export interface TakingOffServices {
  /** The read models, which must already show what an account may no longer do. */
  readonly db: Queryable;
  readonly commands: CommandHandler;
}

/**
 * Unassigns, from all issues of a repository, those of the accounts that may not, or no longer, be assigned there.
 * Resolves with the position that read models must have reached to show it. A command that assigns accounts must also
 * call this, once the read models show the assignment, because access may have been taken away, and assignments looked
 * for, just before it. Can safely be repeated.
 */
export async function takeOffIssues(
  services: TakingOffServices,
  repositoryId: number,
  accountIds: readonly number[],
  context: CommandContext,
): Promise<Position> {
  let last = START;
  if (accountIds.length === 0) return last;
  const { db, commands } = services;
  const still = await assignable(services, repositoryId);
  for (const accountId of accountIds.filter((id) => !still.has(id))) {
    const command = { type: 'UnassignIssue', data: { accountId, at: context.at } } as const;
    for (const number of await listNumbersAssigned(db, repositoryId, accountId)) {
      const own = step(context, `unassign ${accountId} from ${number}`);
      const done = await unlessGone(commands.handle(Issue, issueKey(repositoryId, number), command, own));
      if (done) last = later(last, done.position);
    }
  }
  return last;
}

/** Returns the ids of the accounts that may be assigned to issues of a repository, by its present owner. */
async function assignable({ db, commands }: TakingOffServices, id: number): Promise<ReadonlySet<number>> {
  const { ownerId: owner_id } = (await commands.load(Repository, id)).state;
  return new Set((await listAssignable(db, { id, owner_id }, everybody)).map((account) => account.id));
}

/** Like `takeOffIssues`, for all accounts that are assigned there: for a repository that a team or its owner has lost. */
export const takeOffIssuesIn = async (
  services: TakingOffServices,
  repositoryId: number,
  context: CommandContext,
): Promise<Position> =>
  takeOffIssues(services, repositoryId, await listAccountsAssignedIn(services.db, repositoryId), context);

/** Like `takeOffIssues`, for one account in all repositories of an organization. */
export async function takeOffIssuesOf(
  services: TakingOffServices,
  organizationId: number,
  accountId: number,
  context: CommandContext,
): Promise<Position> {
  let last = START;
  for (const id of await listRepositoriesAssigned(services.db, organizationId, accountId)) {
    const own = step(context, `take ${accountId} off issues of ${id}`);
    const taken = await takeOffIssues(services, id, [accountId], own);
    last = later(last, taken);
  }
  return last;
}
