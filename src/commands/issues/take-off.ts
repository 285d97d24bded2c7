import type { Queryable } from '../../database/database.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { listNumbersAssigned, listRepositoriesAssigned } from '../../queries/issues/issues.js';
import { listAssignees } from '../../queries/repositories/collaborators.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-gone.js';

export interface TakingOffServices {
  /** The read models, which show already what an account may do no more. */
  readonly db: Queryable;
  readonly commands: CommandHandler;
}

/**
 * Takes an account off the issues of a repository, unless it may still be assigned to them; what a read has to show to
 * show it. Doing it again does no harm.
 */
export async function takeOffIssues(
  { db, commands }: TakingOffServices,
  repository: { readonly id: number; readonly owner_id: number },
  accountId: number,
  context: CommandContext,
): Promise<Position> {
  const assignable = await listAssignees(db, repository);
  if (assignable.some(({ id }) => id === accountId)) return START;
  const command = { type: 'UnassignIssue', data: { accountId, at: context.at } } as const;
  let last = START;
  for (const number of await listNumbersAssigned(db, repository.id, accountId)) {
    const own = step(context, `unassign ${accountId} from ${number}`);
    const done = await unlessGone(commands.handle(Issue, issueKey(repository.id, number), command, own));
    if (done) last = later(last, done.position);
  }
  return last;
}

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
    const taken = await takeOffIssues(services, { id, owner_id: organizationId }, accountId, own);
    last = later(last, taken);
  }
  return last;
}
