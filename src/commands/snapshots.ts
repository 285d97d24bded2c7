import { LRUCache } from 'lru-cache';
import { streamOf } from '../domain/decider.js';
import type { Plain, SnapshotForm } from '../domain/snapshot.js';
import type { EventLog } from '../event-log/event-log.js';
import type { ExpectedRevision } from '../event-store/event-store.js';
import type { SnapshotTable } from '../snapshots/snapshot-table.js';
import { eventsAt, type Aggregate, type Evolution } from './aggregates.js';

/** Where snapshots are kept, and how often one is taken. */
export interface SnapshotOptions {
  readonly table: Pick<SnapshotTable, 'find' | 'keep' | 'drop'>;
  /** How many events a stream grows by between two snapshots; 500 by default. */
  readonly every?: number;
  /** Called with errors of reading or writing snapshots, which cost time and nothing else. */
  readonly onError: (error: unknown) => void;
}

/** Larger states get no snapshot: writing them over and over would cost more than it saves. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_AT_ONCE = 4;

/**
 * Stores snapshots of aggregates whose streams grow, in the background, and finds them for a process that has not cached
 * the state.
 */
export class Snapshots {
  readonly #every: number;
  readonly #writing = new Set<string>();
  readonly #tooLarge = new LRUCache<string, true>({ max: 1_000 });

  constructor(
    private readonly log: EventLog,
    private readonly options: SnapshotOptions,
  ) {
    this.#every = options.every ?? 500;
  }

  /** Finds the last snapshot of an aggregate, if the log still holds the event that it was taken at. Never rejects. */
  async find<State>(evolution: Evolution<State>, id: string | number): Promise<Aggregate<State> | undefined> {
    const { snapshot: form } = evolution;
    if (!form) return undefined;
    const { table, onError } = this.options;
    const stream = streamOf(evolution, id);
    try {
      const kept = await table.find(stream);
      if (kept?.version !== form.version) return undefined;
      const { revision, eventId } = kept;
      const [event] = await this.log.readStream(stream, { from: revision, max: 1 });
      if (event?.id === eventId)
        return { state: form.read(JSON.parse(kept.state) as Plain), revision, position: event.position };
      await table.drop(stream);
    } catch (error) {
      onError(error);
    }
    return undefined;
  }

  /** Stores a snapshot in the background if the stream has grown enough since `before`. */
  offer<State>(
    evolution: Evolution<State>,
    id: string | number,
    before: ExpectedRevision,
    aggregate: Aggregate<State>,
  ): void {
    const { snapshot: form } = evolution;
    const rounds = (revision: ExpectedRevision) => Math.floor(eventsAt(revision) / this.#every);
    if (!form || rounds(before) === rounds(aggregate.revision)) return;
    const stream = streamOf(evolution, id);
    if (this.#writing.has(stream) || this.#tooLarge.has(stream)) return;
    if (this.#writing.size >= MAX_AT_ONCE) return;
    this.#writing.add(stream);
    this.#keep(form, stream, aggregate)
      .catch(this.options.onError)
      .finally(() => this.#writing.delete(stream));
  }

  async #keep<State>(
    form: SnapshotForm<State>,
    stream: string,
    { state, revision, position }: Aggregate<State>,
  ): Promise<void> {
    if (revision === 'noStream') return;
    const [event] = await this.log.readStream(stream, { from: revision, max: 1 });
    if (event?.position !== position) return;
    const text = JSON.stringify(form.write(state));
    if (Buffer.byteLength(text) > MAX_BYTES) this.#tooLarge.set(stream, true);
    else {
      const { version } = form;
      await this.options.table.keep(stream, { version, revision, eventId: event.id, state: text });
    }
  }
}
