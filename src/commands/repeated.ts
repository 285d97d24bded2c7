import { streamOf, type Message } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Appended } from '../event-store/event-store.js';
import type { CommandContext } from './context.js';
import type { Handled } from './handle.js';

const PAGE = 100;
/**
 * How far back a command is searched for: a day, as long as an Idempotency-Key is valid, and an hour for clocks that
 * differ.
 */
const REMEMBERED_MS = 25 * 60 * 60 * 1000;

/**
 * Finds the events that the command appended to this stream in an earlier attempt, within a day; undefined where there
 * are none.
 */
export async function findRepeated<Event extends Message>(
  log: EventLog,
  stream: string,
  { commandId, at }: Pick<CommandContext, 'commandId' | 'at'>,
): Promise<(Handled<Event> & Appended) | undefined> {
  const oldest = Date.parse(at) - REMEMBERED_MS;
  const ours = ({ metadata }: DomainEvent) => metadata.$causationId === commandId;
  const found: DomainEvent[] = [];
  for (let from: number | undefined; from === undefined || from >= 0;) {
    const page = await log.readStream(stream, {
      direction: 'backwards',
      max: PAGE,
      ...(from !== undefined && { from }),
    });
    found.push(...page.filter(ours));
    const last = page.at(-1);
    // The events of one command stand together: once another event follows them, the search is over.
    if (!last || last.recordedAt.getTime() < oldest || (found.length > 0 && !ours(last))) break;
    from = last.revision - 1;
  }
  const last = found[0];
  return (
    last && {
      events: found.reverse() as unknown as Event[],
      revision: last.revision,
      position: last.position,
    }
  );
}

/**
 * The id that an earlier attempt of the command chose for a new stream of this category; undefined where none is known.
 * The command uses it again instead of a new one, so that the stream shows whether that attempt succeeded.
 */
export function attemptedId(
  decider: { readonly category: string },
  { attempted }: Pick<CommandContext, 'attempted'>,
): string | undefined {
  const prefix = streamOf(decider, '');
  return attempted?.startsWith(prefix) ? attempted.slice(prefix.length) : undefined;
}
