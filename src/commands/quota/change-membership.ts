import {
  QuotaMembership,
  type QuotaMembershipCommand,
  type QuotaMembershipEvent,
} from '../../domain/quota/quota-membership.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler, Handled } from '../handle.js';
import { checkStays, whileStaying } from '../organizations/check-stays.js';
import { unlessGone } from '../unless-refused.js';

/**
 * Changes the quota groups of an account. A deletion of the account leaves its groups after having begun, and this looks
 * for a begun deletion after the change, so one of the two notices the other: no deleted account stays in a group.
 */
export async function changeMembership(
  commands: CommandHandler,
  accountId: number,
  command: QuotaMembershipCommand | (() => Promise<QuotaMembershipCommand>),
  context: CommandContext,
): Promise<Handled<QuotaMembershipEvent>> {
  const changed = await whileStaying(commands, [accountId], context, (check) => {
    const checked = async () => {
      const [made] = await Promise.all([typeof command === 'function' ? command() : command, check()]);
      return made;
    };
    return commands.handle(QuotaMembership, accountId, checked, context);
  });
  try {
    await checkStays(commands, accountId, context);
  } catch (error) {
    for (const { type, data } of changed.events) {
      if (type !== 'AddedToQuotaGroup') continue;
      const group = { id: data.groupId, name: data.groupName };
      const leave = { type: 'RemoveFromQuotaGroup', data: { group, at: context.at } } as const;
      const own = step(context, `leave ${group.id}`);
      await unlessGone(commands.handle(QuotaMembership, accountId, leave, own));
    }
    throw error;
  }
  return changed;
}
