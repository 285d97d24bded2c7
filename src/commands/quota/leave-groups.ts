import { QuotaMembership } from '../../domain/quota/quota-membership.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { existingGroupIds } from './set-groups.js';

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
  for (let round = 1, isDone = false; !isDone; round++) {
    const own = step(context, `leave quota groups, round ${round}`);
    const { events } = await commands.handle(QuotaMembership, accountId, command, own);
    isDone = events.length === 0;
  }
}
