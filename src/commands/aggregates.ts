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
  /** Of the last event of the stream; `START` while there is none. */
  readonly position: Position;
}

/** What loading takes of a decider. */
export type Evolution<State> = Pick<
  Decider<never, Message, State>,
  'category' | 'initialState' | 'evolve' | 'snapshot'
>;

/** How much is kept; one aggregate is kept however large it is. */
export interface AggregateLimits {
  readonly max: number;
  /** Of their states, roughly. */
  readonly maxBytes: number;
}

/** Events that are read of a stream at once; an event may hold a megabyte. */
const PART = 256;

/** The aggregates that were used last, so that a load reads only what is new. A cache: losing any of it costs time. */
export class Aggregates {
  readonly #log: EventLog;
  readonly #known: LRUCache<string, Aggregate<unknown>>;
  readonly #snapshots: Snapshots | undefined;

  constructor(log: EventLog, { max, maxBytes }: AggregateLimits, snapshots?: Snapshots) {
    this.#log = log;
    this.#snapshots = snapshots;
    this.#known = new LRUCache({
      max,
      maxSize: maxBytes,
      sizeCalculation: ({ state }) => Math.min(maxBytes, roughSize(state)),
    });
  }

  /** As it was when it was last used, maybe not the newest; undefined where it is not known. */
  recall<State>(evolution: Evolution<State>, id: string | number): Aggregate<State> | undefined {
    return this.#known.get(streamOf(evolution, id)) as Aggregate<State> | undefined;
  }

  /** As the log has it now. Part by part: a stream may be longer than one read may take. */
  async load<State>(evolution: Evolution<State>, id: string | number): Promise<Aggregate<State>> {
    const known =
      this.recall(evolution, id) ?? (await this.#snapshots?.find(evolution, id)) ?? nothingOf(evolution);
    for (let aggregate = known; ;) {
      const from = eventsAt(aggregate.revision);
      const events = await this.#log.readStream(streamOf(evolution, id), { from, max: PART });
      const last = events.at(-1);
      if (last) aggregate = after(evolution, aggregate, events, last);
      if (events.length === PART) continue;
      return aggregate === known ? known : this.#note(evolution, id, known, aggregate);
    }
  }

  /** Notes the events that the log has after `before`. */
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
    this.#known.set(streamOf(evolution, id), aggregate);
    this.#snapshots?.offer(evolution, id, before.revision, aggregate);
    return aggregate;
  }

  /** Lets go of an aggregate that the log contradicts. */
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

/** How many events a stream has at a revision. */
export const eventsAt = (revision: ExpectedRevision): number => (revision === 'noStream' ? 0 : revision + 1);

/** An aggregate before its first event. */
export const nothingOf = <State>({ initialState }: Evolution<State>): Aggregate<State> => ({
  state: initialState,
  revision: 'noStream',
  position: START,
});
