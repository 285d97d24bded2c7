import type { Queryable } from '../../database/database.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import {
  listAccountsAssignedIn,
  listNumbersAssigned,
  listRepositoriesAssigned,
} from '../../queries/issues/issues.js';
import { listAssignable } from '../../queries/repositories/collaborators.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';

/** What is asked who may still be assigned, and what takes the others off. */
export interface TakingOffServices {
  /** The read models, which show already what an account may do no more. */
  readonly db: Queryable;
  readonly commands: CommandHandler;
}

/**
 * Takes accounts off the issues of a repository, those that may not be assigned to them (any more); what a read has to show
 * to show it. Whoever assigns them asks for it too, once the read models show the assignment: whoever took their access may
 * have looked for their issues before. Doing it again does no harm.
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

/** Who may be assigned to issues of a repository, whoever owns it by now. */
async function assignable({ db, commands }: TakingOffServices, id: number): Promise<ReadonlySet<number>> {
  const { ownerId: owner_id } = (await commands.load(Repository, id)).state;
  return new Set((await listAssignable(db, { id, owner_id })).map((account) => account.id));
}

/** As `takeOffIssues`, whoever is assigned there: of a repository that teams or its owner have lost. */
export const takeOffIssuesIn = async (
  services: TakingOffServices,
  repositoryId: number,
  context: CommandContext,
): Promise<Position> =>
  takeOffIssues(services, repositoryId, await listAccountsAssignedIn(services.db, repositoryId), context);

/** As `takeOffIssues`, in every repository of an organization. */
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
