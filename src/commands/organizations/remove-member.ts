import { Organization, type OrganizationEvent } from '../../domain/organizations/organization.js';
import type { CommandContext } from '../context.js';
import { handleInSteps } from '../handle-in-steps.js';
import type { CommandHandler, Handled } from '../handle.js';

/**
 * Removes a member from an organization and all of its teams. Takes it out of teams in steps before, as far as one append
 * could not hold all of it. Refuses for the last owner.
 */
export async function removeMember(
  commands: CommandHandler,
  organizationId: number,
  accountId: number,
  context: CommandContext,
): Promise<Handled<OrganizationEvent>> {
  const data = { accountId, at: context.at };
  const lighten = { type: 'LightenMember', data } as const;
  await handleInSteps(commands, Organization, organizationId, lighten, { context, name: 'lighten' });
  return commands.handle(Organization, organizationId, { type: 'RemoveMember', data }, context);
}
