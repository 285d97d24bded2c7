import { readCheckpoints } from '../../projections/engine/checkpoint.js';
import { schemaOf, type Projection } from '../../projections/projection.js';
import { alone, RebuildRunning } from '../../projections/rebuild/rebuild-lock.js';
import { dropSchema, nextSchemaOf, oldSchemaOf, schemaExists } from '../../projections/rebuild/schemas.js';
import type { CommitCache } from '../commit-cache/commit-cache.js';
import type { Database } from '../database/database.js';
import { hasSqlState, SQL_STATE } from '../database/sql-states.js';
import type { Position } from '../event-store/event-store.js';
import { pause } from '../concurrency/pause.js';
import type { Answers, StoredAnswer } from '../vault/answers.js';
import { mentions } from './mentions.js';

const LOOK_EVERY_MS = 100;
const REBUILDS_MS = 1_000;

/** Copies of the log's personal data that do not follow the log; except webhook deliveries, which the planner removes. */
export class Leftovers {
  constructor(
    private readonly db: Database,
    private readonly answers: Pick<Answers, 'forget'>,
    private readonly commitCache: Pick<CommitCache, 'removeOrphans'>,
    private readonly projections: readonly Projection[],
  ) {}

  /** Resolves when all read models are past a position, or when aborted. */
  async passed(position: Position, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.#havePassed(position))) await pause(LOOK_EVERY_MS, signal);
  }

  /**
   * Empties stored answers that were given to the account, to a path that names it, or that may show it, as each refusal
   * may; removes the tables that rebuilds put aside or never finished, and cached commits of repositories that no longer
   * exist, such as the person's. Once the read models are past the erasure, nothing writes such copies any more. If
   * aborted, some remain, and it must be repeated.
   */
  async remove(accountId: number, signal: AbortSignal): Promise<void> {
    const tells = (answer: StoredAnswer) =>
      answer.accountId === accountId ||
      answer.namedId === accountId ||
      answer.status >= 400 ||
      mentions(answer.body, accountId);
    await this.answers.forget(tells, signal);
    for (const projection of this.projections)
      if (!signal.aborted) await dropSchema(this.db, oldSchemaOf(projection));
    await this.commitCache.removeOrphans(signal);
    for (const projection of this.projections) await this.#removeUnfinished(nextSchemaOf(projection), signal);
  }

  /**
   * Drops the tables of an unfinished rebuild. Waits for a running one, because it may be killed before it drops its
   * tables.
   */
  async #removeUnfinished(schema: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await schemaExists(this.db, schema))) {
      await alone(this.db, () => dropSchema(this.db, schema)).catch(async (error: unknown) => {
        if (!(error instanceof RebuildRunning)) throw error;
        await pause(REBUILDS_MS, signal);
      });
    }
  }

  async #havePassed(position: Position): Promise<boolean> {
    try {
      const checkpoints = await readCheckpoints(this.db, this.projections.map(schemaOf));
      return [...checkpoints.values()].every((checkpoint) => checkpoint.position >= position);
    } catch (error) {
      if (hasSqlState(error, SQL_STATE.noTable)) return false; // the projector of this release has yet to make them
      throw error;
    }
  }
}
