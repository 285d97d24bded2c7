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

/** Where events and people's keys are kept; types and upcasters are the registered ones unless a test gives others. */
export interface EventLogOptions extends Partial<EventCodecOptions> {
  readonly people: PersonalKeys;
  readonly store: EventStore;
}

/** As `SubscribeOptions`, and where the monotone time goes on: without `latest` it begins with the first event read. */
export interface LogSubscribeOptions extends SubscribeOptions {
  /** The latest `recordedAt` the consumer has met, where it resumes. */
  readonly latest?: Date;
  /** Gives an event that cannot be read with `unreadable`, where otherwise the subscription fails. */
  readonly markUnreadable?: boolean;
}

/** As `Batch` of the event store, in the domain's terms. */
export interface DomainBatch {
  readonly events: readonly DomainEvent[];
  readonly caughtUp: boolean;
}

/** The event store in the domain's terms: events of the current shapes with readable personal fields, in and out. */
export class EventLog {
  readonly #store: EventStore;
  readonly #codec: EventCodec;
  /** Of records that the store gives to several subscriptions. */
  readonly #decoded = new WeakMap<readonly RecordedEvent[], Promise<DomainEvent[]>>();

  /** Throws `BadUpcasters` where the registered upcasters leave a hole. */
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
   * Appends all events or none, as `EventStore.append`. Their ids follow from command id, stream and place, so the
   * same command tried again at the same revision appends nothing twice.
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

  async readStream(stream: string, options?: ReadOptions): Promise<readonly DomainEvent[]> {
    return this.#codec.decode(await this.#store.readStream(stream, options));
  }

  /**
   * As `EventStore.subscribe`, with `recordedAt` made monotone. Throws where the vault cannot be asked for keys, or
   * an event cannot be read; the consumer may subscribe again after the last batch it has handled.
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
}
