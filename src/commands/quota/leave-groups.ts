import { QuotaMembership } from '../../domain/quota/quota-membership.js';
import type { CommandContext } from '../context.js';
import { handleInSteps } from '../handle-in-steps.js';
import type { CommandHandler } from '../handle.js';
import { existingGroupIds } from './membership-commands.js';

/** Takes an account that is being deleted out of all of its groups, however many there are. */
export async function leaveGroups(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  const command = async () =>
    ({
      type: 'LeaveQuotaGroups',
      data: { existingIds: await existingGroupIds(commands), at: context.at },
    }) as const;
  await handleInSteps(commands, QuotaMembership, accountId, command, { context, name: 'leave quota groups' });
}
