import { Issue } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-gone.js';

/**
 * Takes an account off issues of a repository; what a read has to show to show it. Issues that are gone, or that it is
 * not assigned to any more, are passed over, so it can be done again.
 */
export async function unassign(
  commands: CommandHandler,
  {
    repositoryId,
    accountId,
    numbers,
  }: { repositoryId: number; accountId: number; numbers: readonly number[] },
  context: CommandContext,
): Promise<Position> {
  const command = { type: 'UnassignIssue', data: { accountId, at: context.at } } as const;
  let last = START;
  for (const number of numbers) {
    const own = step(context, `unassign from ${number}`);
    const done = await unlessGone(commands.handle(Issue, issueKey(repositoryId, number), command, own));
    if (done) last = later(last, done.position);
  }
  return last;
}
