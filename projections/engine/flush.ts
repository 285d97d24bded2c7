import { LRUCache } from 'lru-cache';
import type { Position } from '../../src/event-store/event-store.js';
import { nameOf, type Statement } from '../../src/database/sql.js';
import type { Checkpoint } from './checkpoint.js';
import type { Gathered } from './read-model.js';
import type { Session } from './session.js';

/**
 * The channel that tells how far projections are: `<position> <schema>,<schema>… <schema>,…`, the latter those whose
 * rows changed on the way; or `status` when one stopped.
 */
export const CHECKPOINTS_CHANNEL = 'checkpoints';

/** Read models at one checkpoint and what takes them to the next. */
export interface Step {
  readonly from: Position;
  readonly to: Checkpoint;
  readonly parts: readonly Gathered[];
}

/**
 * Writes rows and checkpoints in one transaction, in one round trip where no rows must be read. Rejects with `Fenced`,
 * and writes nothing, when a checkpoint is not at `from` any more.
 *
 * The checkpoints come first: a rebuild that swaps schemas holds them, and the statements behind find their tables by
 * name only after it is through.
 */
export function flush(session: Session, step: Step, notify: boolean): Promise<void> {
  const { parts } = step;
  return session.transaction({
    first: moveCheckpoints(step, notify),
    reads: parts.flatMap(({ reads }) => reads),
    writes(rows) {
      let next = 0;
      return parts.flatMap((part) => part.writes(rows.slice(next, (next += part.reads.length))));
    },
  });
}

function moveCheckpoints({ from, to, parts }: Step, notify: boolean): Statement {
  const schemas = parts.map(({ model }) => model.schema);
  const changed = parts.filter(({ isEmpty }) => !isEmpty).map(({ model }) => model.schema);
  const told = notify ? [`${to.position} ${schemas.join()} ${changed.join()}`] : [];
  const values = [String(from), String(to.position), to.recordedAt.toISOString(), ...told];
  return { values, ...movingCheckpoints(schemas, notify) };
}

type Prepared = Pick<Statement, 'name' | 'text'>;

/** For each set of read models that moves together. There are few: only those that stopped or are being built stand apart. */
const preparedMoves = new LRUCache<string, Prepared>({ max: 100 });

function movingCheckpoints(schemas: readonly string[], notify: boolean): Prepared {
  const key = `${schemas.join()} ${notify}`;
  let prepared = preparedMoves.get(key);
  if (!prepared) preparedMoves.set(key, (prepared = prepareMoves(schemas, notify)));
  return prepared;
}

function prepareMoves(schemas: readonly string[], notify: boolean): Prepared {
  const moves = schemas.map(
    (schema, index) =>
      `m${index} as (update "${schema}".checkpoint set position = $2, recorded_at = $3 where position = $1 returning 1)`,
  );
  const moved = schemas.map((_, index) => `(select count(*) from m${index})`).join(' + ');
  const tell = notify ? `, pg_notify('${CHECKPOINTS_CHANNEL}', $4)` : '';
  const text = `with ${moves.join(', ')} select projector.fence(${moved}, ${schemas.length})${tell}`;
  return { name: nameOf(text), text };
}
