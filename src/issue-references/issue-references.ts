import type { CommitCache } from '../commit-cache/commit-cache.js';
import type { CommandHandler } from '../commands/handle.js';
import { unlessRefused } from '../commands/unless-refused.js';
import type { Config } from '../config.js';
import type { Queryable } from '../database/queryable.js';
import { streamOf } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { closingWords, type IssueReference } from '../domain/issues/closing-words.js';
import { Issue } from '../domain/issues/issue.js';
import { issueKey } from '../domain/issues/place.js';
import { rankOf } from '../domain/organizations/team-access.js';
import { BRANCHES, shortName } from '../domain/repositories/refs.js';
import type { Hash, RefUpdate, RepositoryEvent } from '../domain/repositories/repository-messages.js';
import { stepId } from '../event-log/event-id.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Git } from '../git/git.js';
import { unitsOf, visibilityOf } from '../http/repositories/place.js';
import { findAccountById, type AccountRow } from '../queries/accounts/accounts.js';
import { findIssue, type IssueRow } from '../queries/issues/issues.js';
import { accountAsViewer, type RepositoryViewer } from '../queries/repositories/access.js';
import {
  beganAt,
  findRepository,
  findRepositoryById,
  type RepositoryRow,
} from '../queries/repositories/repositories.js';
import { gainedCommits } from './gained-commits.js';

/** Refs have moved; `pusherId` is null if nobody pushed, as when a mirror is pulled. */
export type RefsUpdated = DomainEvent<Extract<RepositoryEvent, { type: 'RefsUpdated' }>>;

/**
 * Services for reading messages of commits and finding and closing issues; addresses below `baseUrl` are this server's
 * issues.
 */
export interface ReferenceServices {
  readonly db: Queryable;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly commands: Pick<CommandHandler, 'handle'>;
  readonly git: Pick<Git, 'commits' | 'newCommits'>;
  readonly commitCache: CommitCache;
  readonly config: Pick<Config, 'baseUrl'>;
}

/** How many requests of one push are followed, the first ones: a push can bring many commits to many branches. */
export const MAX_REQUESTS = 10_000;

/** What one commit requests, and the branch that it reached. */
interface Asked extends IssueReference {
  readonly commit: Hash;
  readonly branch: string;
}

/** Closes and reopens the issues that messages of pushed commits refer to. */
export class IssueReferences {
  constructor(private readonly services: ReferenceServices) {}

  /**
   * Carries out what the commits of a push request, as far as the pusher is allowed to; does not repeat what has been
   * done. The read models must have passed the event.
   */
  async handle(event: RefsUpdated): Promise<void> {
    const { pusherId, updatedAt } = event.data;
    const repositoryId = Number(event.streamId);
    const pusher = pusherId === null ? undefined : await findAccountById(this.services.db, pusherId);
    if (!pusher) return;
    const places = new Places(this.services.db, accountAsViewer(pusher));
    const pushed = await places.withId(repositoryId);
    if (!pushed || beganAt(pushed, updatedAt)) return; // a fork, for one, begins with commits that nobody pushed
    for (const reference of await this.#asked(repositoryId, event)) {
      const place = reference.repository === undefined ? pushed : await places.named(reference.repository);
      if (place) await this.#follow(reference, { event, pusher, pushed, place });
    }
  }

  /** Lists the requests of a push in the order of its commits. */
  async #asked(repositoryId: number, { data }: RefsUpdated): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const update of data.updates.filter(({ ref }) => ref.startsWith(BRANCHES))) {
      for (const { hash: commit, message } of await this.#gained(repositoryId, update, data.defaultBranch))
        for (const reference of closingWords(message, this.services.config.baseUrl))
          if (reference.action !== 'mention')
            asked.push({ ...reference, commit, branch: shortName(update.ref) });
      if (asked.length >= MAX_REQUESTS) return asked.slice(0, MAX_REQUESTS);
    }
    return asked;
  }

  /** Returns the commits that a branch gained; of a branch that a first push made the default one, its whole history. */
  #gained(repositoryId: number, update: RefUpdate, defaultBranch: string | undefined) {
    const isFirst = defaultBranch !== undefined && update.ref === BRANCHES + defaultBranch;
    return gainedCommits(this.services, repositoryId, { ...(isFirst && { since: null }), ...update });
  }

  async #follow({ number, action, commit, branch }: Asked, scene: Scene): Promise<void> {
    const { event, pusher, pushed, place } = scene;
    const { db, commands } = this.services;
    const issue = await findIssue(db, place.id, number);
    if (!issue || branch !== (shortName(issue.ref) || pushed.default_branch)) return;
    if (!mayClose(scene, issue) || !(await this.#wasOpenBefore(event, issue))) return;
    const key = issueKey(place.id, number);
    const closes = action === 'close';
    const at = new Date().toISOString(); // not the push's: `since` queries after it would miss this change
    const command = { type: 'CloseIssueByCommit', data: { commitId: commit, closes, at } } as const;
    const context = {
      commandId: stepId(event.id, `${action} ${key} by ${commit}`),
      at,
      actor: { id: pusher.id, name: pusher.name },
      correlationId: event.metadata.$correlationId,
      repeatable: true,
    };
    await unlessRefused(commands.handle(Issue, key, command, context));
  }

  /** A commit cannot refer to an issue that got its number later. */
  async #wasOpenBefore({ position }: RefsUpdated, { repository_id, number }: IssueRow): Promise<boolean> {
    const stream = streamOf(Issue, issueKey(repository_id, number));
    const [opened] = await this.services.log.readStream(stream, { max: 1 });
    return opened !== undefined && opened.position < position;
  }
}

interface Scene {
  readonly event: RefsUpdated;
  readonly pusher: AccountRow;
  /** The repository of the commits. */
  readonly pushed: RepositoryRow;
  /** The repository of the issue. */
  readonly place: RepositoryRow;
}

function mayClose({ event, pusher: { id }, pushed, place }: Scene, issue: IssueRow): boolean {
  if (place.archived_at || !place.units.includes('repo.issues')) return false;
  // The token that pushed may not reach other repositories.
  const isElsewhere = place.id !== pushed.id;
  if (isElsewhere && event.metadata.publicOnly && visibilityOf(place).visibility !== 'public') return false;
  const level = unitsOf(place)['repo.issues'];
  return level >= rankOf('write') || (level >= rankOf('read') && issue.poster_id === id);
}

/** The repositories that a push refers to as its pusher sees them; each is looked up once. */
class Places {
  readonly #named = new Map<string, Promise<RepositoryRow | undefined>>();

  constructor(
    private readonly db: Queryable,
    private readonly viewer: RepositoryViewer,
  ) {}

  withId(id: number): Promise<RepositoryRow | undefined> {
    return findRepositoryById(this.db, id, this.viewer);
  }

  named(path: string): Promise<RepositoryRow | undefined> {
    const key = path.toLowerCase();
    const [owner = '', name = ''] = key.split('/');
    const found = this.#named.get(key) ?? findRepository(this.db, owner, name, this.viewer);
    this.#named.set(key, found);
    return found;
  }
}
