import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../domain/quota/quota-catalogue.js';
import type { GroupReference, QuotaMembershipCommand } from '../../domain/quota/quota-membership.js';
import type { CommandHandler } from '../handle.js';

/** Makes the command that puts an account into a group. Read models may show one that the log no longer has. */
export async function addToGroup(
  commands: CommandHandler,
  group: GroupReference,
  at: string,
): Promise<QuotaMembershipCommand & { type: 'AddToQuotaGroup' }> {
  return { type: 'AddToQuotaGroup', data: { group, existingIds: await existingGroupIds(commands), at } };
}

/** Makes the command that leaves an account in exactly these groups, and does not end again what ended with its group. */
export async function setGroups(
  commands: CommandHandler,
  groups: readonly GroupReference[],
  at: string,
): Promise<QuotaMembershipCommand & { type: 'SetQuotaGroups' }> {
  return {
    type: 'SetQuotaGroups',
    data: { groups, existingIds: await existingGroupIds(commands), at },
  };
}

/** Returns the ids of all groups that exist. */
export async function existingGroupIds(commands: CommandHandler): Promise<readonly number[]> {
  const { state } = await commands.load(QuotaCatalogue, QUOTA_CATALOGUE);
  return [...state.groups.values()].map(({ id }) => id);
}
