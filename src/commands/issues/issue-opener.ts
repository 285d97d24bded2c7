import type { DataOf } from '../../domain/decider.js';
import { hasCode } from '../../domain/errors.js';
import { INDEX_TAKEN, Issue } from '../../domain/issues/issue.js';
import type { IssueCommand, IssueEvent } from '../../domain/issues/issue-messages.js';
import { issueKey, issueOf } from '../../domain/issues/place.js';
import { recentlyUsed } from '../../values/recently-used.js';
import { commandQueues } from '../command-queues.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler, Handled } from '../handle.js';
import { attemptedId } from '../repeated.js';

/** An issue that was opened now, or by an earlier attempt of the same command, with its index. */
export interface OpenedIssue extends Handled<IssueEvent> {
  readonly number: number;
}

const MAX_REMEMBERED = 10_000;

/**
 * Opens issues and gives each its index. Opening an issue's stream claims the next index of the repository, so that no
 * two issues have the same one and none is skipped. Within this process the issues of a repository are opened one at a
 * time; if another process claims an index first, the next one is tried.
 */
export class IssueOpener {
  readonly #queues = commandQueues();
  /** The index to try next, by repository. */
  readonly #next = recentlyUsed<number, number>(MAX_REMEMBERED);

  constructor(private readonly commands: CommandHandler) {}

  /** Finds the issue that an earlier attempt of the same command opened; undefined if there is none. */
  async openedBefore(repositoryId: number, context: CommandContext): Promise<OpenedIssue | undefined> {
    const number = attemptedNumber(repositoryId, context);
    if (number === undefined) return undefined;
    const earlier = await this.commands.repeated(Issue, issueKey(repositoryId, number), context);
    return earlier && { number, ...earlier };
  }

  /** Opens an issue. `last` returns an index that was given already, or 0; the search for a free one begins after it. */
  async open(
    repositoryId: number,
    last: () => Promise<number>,
    data: DataOf<IssueCommand, 'OpenIssue'>,
    context: CommandContext,
  ): Promise<OpenedIssue> {
    return this.#queues.run(String(repositoryId), async () => {
      const earlier = await this.openedBefore(repositoryId, context);
      if (earlier) return earlier;
      // An append whose answer was lost may still arrive. If this one has the same index, the two are the same issue.
      let number =
        attemptedNumber(repositoryId, context) ?? this.#next.get(repositoryId) ?? (await last()) + 1;
      for (;;) {
        try {
          const key = issueKey(repositoryId, number);
          const opened = await this.commands.begin(Issue, key, { type: 'OpenIssue', data }, context);
          this.#goOn(repositoryId, number + 1);
          return { number, ...opened };
        } catch (error) {
          if (!hasCode(error, INDEX_TAKEN)) throw error;
          number = this.#goOn(repositoryId, Math.max(number, await last()) + 1); // another process was first
        }
      }
    });
  }

  /** Records that no index below `number` is free. Returns the one to try next. */
  #goOn(repositoryId: number, number: number): number {
    const next = Math.max(number, this.#next.get(repositoryId) ?? 0);
    this.#next.set(repositoryId, next);
    return next;
  }
}

/** Returns the index that an earlier attempt of the same command was about to give; undefined if none is known. */
function attemptedNumber(repositoryId: number, context: CommandContext): number | undefined {
  const key = attemptedId(Issue, context);
  if (key === undefined) return undefined;
  const { repository_id, number } = issueOf(key);
  return repository_id === repositoryId ? number : undefined;
}
