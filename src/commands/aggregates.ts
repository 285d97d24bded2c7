import { LRUCache } from 'lru-cache';
import { streamOf, type Decider, type Message } from '../domain/decider.js';
import { START, type Appended, type ExpectedRevision, type Position } from '../event-store/event-store.js';
import type { EventLog } from '../event-log/event-log.js';
import { roughSize } from './rough-size.js';
import type { Snapshots } from './snapshots.js';

/** An aggregate as it stood at a revision of its stream. */
export interface Aggregate<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
  /** The position of the stream's last event; `START` if there is none. */
  readonly position: Position;
}

/** The part of a decider that is needed to fold a stream into a state. */
export type Evolution<State> = Pick<
  Decider<never, Message, State>,
  'category' | 'initialState' | 'evolve' | 'bytesOf' | 'snapshot'
>;

/** Bounds of the cache. The aggregate that was used last is kept however large it is. */
export interface AggregateLimits {
  readonly max: number;
  /** The memory that their states take together, as their deciders tell or `roughSize` estimates it. */
  readonly maxBytes: number;
}

/** How many events of a stream are read at once. Bounded because an event may hold a megabyte. */
const PART = 256;

/**
 * A cache of the aggregates that were used last, so that loading one reads only its new events. Losing an entry costs
 * time only.
 */
export class Aggregates {
  readonly #log: EventLog;
  readonly #known: LRUCache<string, Aggregate<unknown>>;
  readonly #maxBytes: number;
  readonly #snapshots: Snapshots | undefined;

  constructor(log: EventLog, { max, maxBytes }: AggregateLimits, snapshots?: Snapshots) {
    this.#log = log;
    this.#snapshots = snapshots;
    this.#known = new LRUCache({ max, maxSize: maxBytes });
    this.#maxBytes = maxBytes;
  }

  /** Returns the cached aggregate, which may be older than the stream; undefined if none is cached. */
  recall<State>(evolution: Evolution<State>, id: string | number): Aggregate<State> | undefined {
    return this.#known.get(streamOf(evolution, id)) as Aggregate<State> | undefined;
  }

  /** Loads the aggregate as it stands in the log now: cached state or snapshot, and the events after it, read in parts. */
  async load<State>(evolution: Evolution<State>, id: string | number): Promise<Aggregate<State>> {
    const recalled = this.recall(evolution, id);
    const known = recalled ?? (await this.#snapshots?.find(evolution, id)) ?? nothingOf(evolution);
    for (let aggregate = known; ;) {
      const from = eventsAt(aggregate.revision);
      const events = await this.#log.readStream(streamOf(evolution, id), { from, max: PART });
      const last = events.at(-1);
      if (last) aggregate = after(evolution, aggregate, events, last);
      if (events.length === PART) continue;
      // Nothing is cached of a stream that does not exist.
      if (aggregate === recalled || aggregate.revision === 'noStream') return aggregate;
      return this.#note(evolution, id, known, aggregate);
    }
  }

  /** Applies the events that were appended after `before`, and caches the result. */
  advance<State>(
    evolution: Evolution<State>,
    id: string | number,
    before: Aggregate<State>,
    events: readonly Message[],
    last: Appended,
  ): Aggregate<State> {
    return this.#note(evolution, id, before, after(evolution, before, events, last));
  }

  #note<State>(
    evolution: Evolution<State>,
    id: string | number,
    before: Aggregate<State>,
    aggregate: Aggregate<State>,
  ): Aggregate<State> {
    const bytes = evolution.bytesOf?.(aggregate.state) ?? roughSize(aggregate.state);
    this.#known.set(streamOf(evolution, id), aggregate, { size: Math.min(this.#maxBytes, bytes) });
    this.#snapshots?.offer(evolution, id, before.revision, aggregate);
    return aggregate;
  }

  /** Drops the cached aggregate of a stream that turned out to be shorter than it. */
  forget(stream: string): void {
    this.#known.delete(stream);
  }
}

const after = <State>(
  evolution: Evolution<State>,
  before: Aggregate<State>,
  events: readonly Message[],
  { revision, position }: Appended,
): Aggregate<State> => ({
  state: events.reduce((state, event) => evolution.evolve(state, event), before.state),
  revision,
  position,
});

/** Returns how many events a stream has at a revision. */
export const eventsAt = (revision: ExpectedRevision): number => (revision === 'noStream' ? 0 : revision + 1);

/** Returns an aggregate before its first event. */
export const nothingOf = <State>({ initialState }: Evolution<State>): Aggregate<State> => ({
  state: initialState,
  revision: 'noStream',
  position: START,
});
