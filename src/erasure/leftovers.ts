import { readCheckpoints } from '../../projections/engine/checkpoint.js';
import { schemaOf, type Projection } from '../../projections/projection.js';
import { dropSchema, oldSchemaOf } from '../../projections/rebuild/schemas.js';
import type { Queryable } from '../database/database.js';
import type { Position } from '../event-store/event-store.js';
import { pause } from '../pause.js';
import type { Answers } from '../vault/answers.js';
import { mentions } from './mentions.js';

const LOOK_EVERY_MS = 100;

/** Copies of what the log said of a person, which do not follow it; but for deliveries, which the planner removes. */
export class Leftovers {
  constructor(
    private readonly db: Queryable,
    private readonly answers: Pick<Answers, 'forget'>,
    private readonly projections: readonly Projection[],
  ) {}

  /** Resolves when all read models are past a position, or when aborted. */
  async passed(position: Position, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#reached()) < position) await pause(LOOK_EVERY_MS, signal);
  }

  /**
   * Empties answers that show an account, and removes the tables that rebuilds put aside, and caches. Once the read models
   * are past the erasure, nothing writes such copies any more.
   */
  async remove(accountId: number): Promise<void> {
    await this.answers.forget(({ body }) => mentions(body, accountId));
    for (const projection of this.projections) await dropSchema(this.db, oldSchemaOf(projection));
    await this.db.rows('delete from cache.commits');
    await this.db.rows('delete from cache.snapshots');
  }

  async #reached(): Promise<Position> {
    const checkpoints = await readCheckpoints(this.db, this.projections.map(schemaOf));
    return Array.from(checkpoints.values(), ({ position }) => position).reduce((a, b) => (a < b ? a : b));
  }
}
