import { Organization } from '../../domain/organizations/organization.js';
import type { Position } from '../../event-store/event-store.js';
import { checkStays } from './check-stays.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * Adds a user to a team. Whoever deletes the user looks for memberships after the deletion has begun, and this looks for
 * a deletion after the membership has: so one of the two finds the other, and no deleted user stays a member. The same with
 * the organization, which is deleted with its last owner only.
 */
export async function addTeamMember(
  commands: CommandHandler,
  { organizationId, ...member }: { organizationId: number; teamId: number; accountId: number },
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const data = { ...member, at: context.at };
  const added = await commands.handle(Organization, organizationId, { type: 'AddTeamMember', data }, context);
  try {
    for (const id of [member.accountId, organizationId]) await checkStays(commands, id, context);
  } catch (error) {
    // Who was a member before is found by the deletion, and stays one where that comes to nothing.
    if (added.events.length > 0) {
      const undo = step(context, 'undo');
      await commands.handle(Organization, organizationId, { type: 'RemoveTeamMember', data }, undo);
    }
    throw error;
  }
  return added;
}
