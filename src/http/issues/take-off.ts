import { step } from '../../commands/context.js';
import { unassign } from '../../commands/issues/unassign.js';
import { listNumbersAssigned, listRepositoriesAssigned } from '../../queries/issues/issues.js';
import { listAssignees } from '../../queries/repositories/collaborators.js';
import type { Actions } from '../actions.js';

type Request = Pick<Actions, 'context' | 'db' | 'services' | 'wrote'>;

/** Takes an account off the issues of a repository, unless it may still be assigned to them. */
export async function takeOffIssues(
  { db, services, context, wrote }: Request,
  repository: { readonly id: number; readonly owner_id: number },
  accountId: number,
): Promise<void> {
  const assignable = await listAssignees(db, repository);
  if (assignable.some(({ id }) => id === accountId)) return;
  const numbers = await listNumbersAssigned(db, repository.id, accountId);
  if (numbers.length > 0)
    await wrote(
      await unassign(services.commands, { repositoryId: repository.id, accountId, numbers }, context),
    );
}

/** As `takeOffIssues`, in every repository of an organization. */
export async function takeOffIssuesOf(
  request: Request,
  organizationId: number,
  accountId: number,
): Promise<void> {
  const { db, services, wrote } = request;
  for (const id of await listRepositoriesAssigned(db, organizationId, accountId)) {
    const context = step(request.context, `take ${accountId} off issues of ${id}`);
    await takeOffIssues({ db, services, wrote, context }, { id, owner_id: organizationId }, accountId);
  }
}
