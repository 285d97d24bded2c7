import { Organization } from '../../domain/organizations/organization.js';
import type { Position } from '../../event-store/event-store.js';
import { checkStays } from './check-stays.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * Adds a user to a team. A deletion of the user looks for memberships after having begun, and this looks for a begun
 * deletion after adding the membership, so one of the two notices the other: no deleted user stays a member. The same
 * holds for a deletion of the organization, which happens with its last owner only.
 */
export async function addTeamMember(
  commands: CommandHandler,
  { organizationId, ...member }: { organizationId: number; teamId: number; accountId: number },
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const data = { ...member, at: context.at };
  const checkBothStay = async () => {
    for (const id of [member.accountId, organizationId]) await checkStays(commands, id, context);
  };
  // Before as well, so that a closing account is not counted on as an owner while its deletion is waited for.
  if (!(await commands.repeated(Organization, organizationId, context))) await checkBothStay();
  const added = await commands.handle(Organization, organizationId, { type: 'AddTeamMember', data }, context);
  try {
    await checkBothStay();
  } catch (error) {
    // A user who was a member before is found by the deletion, and stays one if the deletion is refused.
    if (added.events.length > 0) {
      const undo = step(context, 'undo');
      await commands.handle(Organization, organizationId, { type: 'RemoveTeamMember', data }, undo);
    }
    throw error;
  }
  return added;
}
