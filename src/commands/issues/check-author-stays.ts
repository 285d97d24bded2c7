import { DomainError } from '../../domain/errors.js';
import { Issue } from '../../domain/issues/issue.js';
import type { IssueCommand } from '../../domain/issues/issue-messages.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { checkStays } from '../organizations/check-stays.js';
import { unlessGone } from '../unless-refused.js';

/** Something that a user has just written: an issue, or a comment on one. */
interface Writing {
  readonly authorId: number;
  /** The key of the issue's stream. */
  readonly issue: string;
  /** The command that takes it back. */
  readonly takeBack: IssueCommand;
}

/**
 * Takes back what a user has just written, and refuses, if the user is deleted. A deletion that purges looks for what the
 * user wrote after having begun, and this looks for a begun deletion after the writing, so one of the two notices the
 * other: nothing is left of whom nobody can purge any more.
 */
export async function checkAuthorStays(
  commands: CommandHandler,
  { authorId, issue, takeBack }: Writing,
  context: CommandContext,
): Promise<void> {
  try {
    await checkStays(commands, authorId, context);
  } catch (error) {
    if (error instanceof DomainError)
      await unlessGone(commands.handle(Issue, issue, takeBack, step(context, 'take back')));
    throw error;
  }
}
