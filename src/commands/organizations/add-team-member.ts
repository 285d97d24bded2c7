import { Organization } from '../../domain/organizations/organization.js';
import type { Position } from '../../event-store/event-store.js';
import { checkStays, whileStaying } from './check-stays.js';
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
  const accountIds = [member.accountId, organizationId];
  const added = await whileStaying(commands, accountIds, context, (check) => {
    const add = async () => {
      await check();
      return { type: 'AddTeamMember', data } as const;
    };
    return commands.handle(Organization, organizationId, add, context);
  });
  try {
    for (const id of accountIds) await checkStays(commands, id, context);
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
