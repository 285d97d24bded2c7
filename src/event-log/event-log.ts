import type { DomainEvent } from '../domain/domain-event.js';
import type { Message } from '../domain/decider.js';
import type {
  Appended,
  EventStore,
  ExpectedRevision,
  Position,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
} from '../event-store/event-store.js';
import { EventCodec, type CommandMetadata, type EventCodecOptions } from './event-codec.js';
import { upcasters } from './earlier-shapes.js';
import { eventTypes } from './event-types.js';
import { personalFields } from './personal-fields.js';
import type { PersonalKeys } from './personal-sealing.js';

/** The event store and the vault of people's keys. Types and upcasters are the registered ones unless a test gives others. */
export interface EventLogOptions extends Partial<EventCodecOptions> {
  readonly people: PersonalKeys;
  readonly store: EventStore;
}

/** As `SubscribeOptions`. Without `latest`, the monotone time begins with the first event that is read. */
export interface LogSubscribeOptions extends SubscribeOptions {
  /** The latest `recordedAt` that a consumer has seen, when it resumes. */
  readonly latest?: Date;
  /** Delivers an event that cannot be read with `unreadable` set; without this option the subscription fails. */
  readonly markUnreadable?: boolean;
}

/** As `Batch` of the event store, in the domain's terms. */
export interface DomainBatch {
  readonly events: readonly DomainEvent[];
  readonly caughtUp: boolean;
}

/** The event store in the domain's terms: events of the current shapes, with readable personal fields. */
export class EventLog {
  readonly #store: EventStore;
  readonly #codec: EventCodec;
  /** The decoded events of record lists that the store shares between subscriptions. */
  readonly #decoded = new WeakMap<readonly RecordedEvent[], Promise<DomainEvent[]>>();

  /** Throws `BadUpcasters` if the registered upcasters do not cover every old shape. */
  constructor({ store, people, types, personal, upcasters: lifts }: EventLogOptions) {
    this.#store = store;
    this.#codec = new EventCodec({
      people,
      types: types ?? eventTypes,
      personal: personal ?? personalFields,
      upcasters: lifts ?? upcasters,
    });
  }

  /**
   * Appends all events or none, as `EventStore.append`. Their ids follow from command id, stream and index, so repeating
   * a command at the same revision appends nothing twice.
   */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly Message[],
    metadata: CommandMetadata,
    commandId: string,
  ): Promise<Appended> {
    const encoded = await this.#codec.encode(stream, events, metadata, commandId);
    return this.#store.append(stream, expected, encoded);
  }

  /** Reads events of a stream, as `EventStore.readStream`, in today's shapes. Rejects if one cannot be decoded. */
  async readStream(stream: string, options?: ReadOptions): Promise<readonly DomainEvent[]> {
    return this.#codec.decode(await this.#store.readStream(stream, options));
  }

  /**
   * As `EventStore.subscribe`, with `recordedAt` made monotone. Throws if the vault does not answer or an event cannot be
   * read; the consumer may then subscribe again after the last batch that it has handled.
   */
  async *subscribe(after: Position, options: LogSubscribeOptions): AsyncIterable<DomainBatch> {
    let latest = options.latest ?? new Date(0);
    for await (const { events, caughtUp } of this.#store.subscribe(after, options)) {
      const decoded = await (options.markUnreadable ? this.#decodeOnce(events) : this.#codec.decode(events));
      yield {
        events: decoded.map((event) => {
          if (event.recordedAt < latest) return { ...event, recordedAt: latest };
          latest = event.recordedAt;
          return event;
        }),
        caughtUp,
      };
    }
  }

  #decodeOnce(records: readonly RecordedEvent[]): Promise<DomainEvent[]> {
    let decoded = this.#decoded.get(records);
    if (!decoded) this.#decoded.set(records, (decoded = this.#codec.decodeEach(records)));
    return decoded;
  }

  /** As `EventStore.lastPosition`. */
  lastPosition(): Promise<Position> {
    return this.#store.lastPosition();
  }

  /** As `EventStore.positionAt`. */
  positionAt(time: Date): Promise<Position> {
    return this.#store.positionAt(time);
  }

  /** As `EventStore.timeAt`. */
  timeAt(position: Position): Promise<Date> {
    return this.#store.timeAt(position);
  }
}
