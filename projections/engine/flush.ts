import { LRUCache } from 'lru-cache';
import type { Position } from '../../src/event-store/event-store.js';
import { nameOf, type Statement } from '../../src/database/sql.js';
import { CHECKPOINTS_CHANNEL, payloadOf } from '../../src/read-your-writes/announcement.js';
import type { Checkpoint } from './checkpoint.js';
import type { Gathered } from './read-model.js';
import type { Session } from './session.js';

/** A batch's changes to read models that share a checkpoint, and the checkpoints before and after it. */
export interface Step {
  readonly from: Position;
  readonly to: Checkpoint;
  readonly parts: readonly Gathered[];
}

/**
 * Writes rows and checkpoints in one transaction, in one round trip if no rows must be read. Rejects with `Fenced` and
 * writes nothing if a checkpoint is no longer at `from`.
 *
 * The checkpoints are moved first, because a rebuild locks them while it swaps schemas: the statements that follow resolve
 * their tables' names only after the swap.
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
  const told = notify ? [payloadOf({ position: to.position, schemas, changed })] : [];
  const values = [String(from), String(to.position), to.recordedAt.toISOString(), ...told];
  return { values, ...movingCheckpoints(schemas, notify) };
}

type Prepared = Pick<Statement, 'name' | 'text'>;

/** Statements by set of read models that move together. There are few sets: only stopped or new read models move apart. */
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
