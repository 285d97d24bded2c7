import type { IssueCommand } from '../../domain/issues/issue-messages.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import type { IssuePlace, Writings } from '../../queries/issues/writings.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';

/** Deletes issues, and comments on other issues. Skips those that no longer exist, so that it can be repeated. */
export async function deleteWritings(
  commands: CommandHandler,
  { issues, comments }: Writings,
  context: CommandContext,
): Promise<void> {
  const { at } = context;
  const remove = ({ repositoryId, number }: IssuePlace, command: IssueCommand, name: string) =>
    unlessGone(commands.handle(Issue, issueKey(repositoryId, number), command, step(context, name)));
  for (const issue of issues) {
    const name = `delete issue ${issueKey(issue.repositoryId, issue.number)}`;
    await remove(issue, { type: 'DeleteIssue', data: { at } }, name);
  }
  for (const { commentId, ...issue } of comments)
    await remove(issue, { type: 'DeleteComment', data: { commentId, at } }, `delete comment ${commentId}`);
}
