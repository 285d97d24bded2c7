import { Account } from '../../domain/accounts/account.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * Returns which of these founded organizations exist, and abandons the others, so that they never will: a creation that
 * is still under way then starts again, and one that crashed leaves nothing that counts.
 */
export async function abandonFoundations(
  commands: CommandHandler,
  organizationIds: readonly number[],
  context: CommandContext,
): Promise<readonly number[]> {
  const existing: number[] = [];
  for (const accountId of organizationIds) {
    const command = async () => {
      const holds = (await commands.load(Account, accountId)).state.status !== 'absent';
      return { type: 'AbandonClaim', data: { accountId, holds, at: context.at } } as const;
    };
    await commands.handle(Account, accountId, command, step(context, `abandon ${accountId}`));
    const { status } = (await commands.load(Account, accountId)).state;
    if (status === 'exists') existing.push(accountId);
  }
  return existing;
}
