import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain/errors.js';
import { Issue } from '../../domain/issues/issue.js';
import type { IssueCommand } from '../../domain/issues/issue-messages.js';
import { issueKey, issueOf } from '../../domain/issues/place.js';
import type { Position } from '../../event-store/event-store.js';
import { Queues } from '../../queues.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { attemptedId } from '../repeated.js';

const MOST_REMEMBERED = 10_000;

/**
 * Gives issues their indices: the next one of a repository is claimed by opening the issue's stream, so no two issues
 * have one and none is left out. Those of one repository take turns inside the process; another process may be faster,
 * and then the index after its is tried.
 */
export class IssueOpener {
  readonly #commands: CommandHandler;
  readonly #queues = new Queues();
  /** The index to try next, by repository. */
  readonly #next = new LRUCache<number, number>({ max: MOST_REMEMBERED });

  constructor(commands: CommandHandler) {
    this.#commands = commands;
  }

  /** Opens an issue. `last` is an index that was given, or 0: where to begin looking. */
  async open(
    repositoryId: number,
    last: number,
    data: Extract<IssueCommand, { type: 'OpenIssue' }>['data'],
    context: CommandContext,
  ): Promise<{ readonly number: number; readonly position: Position }> {
    return this.#queues.run(String(repositoryId), async () => {
      const earlier = await this.#openedEarlier(repositoryId, context);
      if (earlier) return earlier;
      let number = Math.max(this.#next.get(repositoryId) ?? 1, last + 1);
      for (;;) {
        try {
          const key = issueKey(repositoryId, number);
          const { position } = await this.#commands.handle(Issue, key, { type: 'OpenIssue', data }, context);
          this.#next.set(repositoryId, number + 1);
          return { number, position };
        } catch (error) {
          if (!(error instanceof DomainError && error.code === 'issue.index_taken')) throw error;
          number += 1;
          this.#next.set(repositoryId, number);
        }
      }
    });
  }

  /** The issue that this very command opened before, where its answer was lost: by now other indices are next. */
  async #openedEarlier(
    repositoryId: number,
    context: CommandContext,
  ): Promise<{ readonly number: number; readonly position: Position } | undefined> {
    const key = attemptedId(Issue, context);
    if (key === undefined || issueOf(key).repository_id !== repositoryId) return undefined;
    const opened = await this.#commands.repeated(Issue, key, context);
    return opened && { number: issueOf(key).number, position: opened.position };
  }
}
