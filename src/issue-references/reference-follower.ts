import type { Database, DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { moveCheckpoint, readCheckpoint } from '../followers/checkpoint.js';
import { lead } from '../followers/lead.js';
import { pause } from '../followers/pause.js';
import { stubbornly } from '../followers/stubbornly.js';
import type { Logger } from '../logger.js';
import type { IssueReferences, RefsUpdated } from './issue-references.js';

export interface ReferenceFollowerOptions {
  readonly database: DatabaseOptions;
  readonly log: Pick<EventLog, 'subscribe'>;
  /** Resolves when the read models have passed the position, false where they have not. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly references: Pick<IssueReferences, 'handle'>;
  readonly logger: Logger;
}

const LEASE = 'issue-references';
const CHECKPOINT = fragment`issue_references.checkpoint`;
const READ_MODELS_MS = 1_000;
/** A checkpoint that only passes events over is written so often. */
const CHECKPOINT_EVERY_MS = 1_000;

/**
 * Hands every push to the issue references, in the order of the log: one process does, others stand by. The checkpoint
 * moves afterwards, so that a crash repeats some and loses none.
 */
export class ReferenceFollower {
  readonly #options: ReferenceFollowerOptions;

  constructor(options: ReferenceFollowerOptions) {
    this.#options = options;
  }

  /** Works until it is aborted, and gives the lease up then. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, logger } = this.#options;
    await lead({ database, lease: LEASE, logger }, (own, held) => this.#follow(own, held), signal);
  }

  async #follow(database: Database, signal: AbortSignal): Promise<void> {
    const checkpoint = await readCheckpoint(database, CHECKPOINT);
    let { position } = checkpoint;
    let written = performance.now();
    const subscription = { signal, latest: checkpoint.recordedAt, markUnreadable: true };
    for await (const { events } of this.#options.log.subscribe(position, subscription)) {
      const pushes = events.filter(isPush);
      for (const push of pushes) await this.#handle(push, signal);
      if (signal.aborted) return;
      const last = events.at(-1);
      if (!last || (pushes.length === 0 && performance.now() - written < CHECKPOINT_EVERY_MS)) continue;
      await moveCheckpoint(database, CHECKPOINT, position, last);
      ({ position } = last);
      written = performance.now();
    }
  }

  async #handle(push: RefsUpdated, signal: AbortSignal): Promise<void> {
    const { reached, references, logger } = this.#options;
    while (!signal.aborted && !(await reached(push.position))) {
      logger.warn({ position: String(push.position) }, 'issue references wait for the read models');
      await pause(READ_MODELS_MS, signal);
    }
    await stubbornly(push, () => references.handle(push), { logger, signal });
  }
}

const isPush = (event: DomainEvent): event is RefsUpdated =>
  event.type === 'RefsUpdated' && event.unreadable === undefined;
