import type { DomainEvent } from '../domain/domain-event.js';
import type { Message } from '../domain/decider.js';
import type { EventMetadata } from '../domain/metadata.js';
import type { EventData, RecordedEvent } from '../event-store/event-store.js';
import { eventId } from './event-id.js';
import type { EventType } from './event-types.js';
import type { PersonalFields } from './personal-fields.js';
import { PersonalSealing, type PersonalKeys, type UsableKeys } from './personal-sealing.js';
import { DamagedEvent, isMetadata, isObject } from './stored-event.js';
import { currentTypeOf, UnknownEventShape, upcasting, type Shaped, type Upcaster } from './upcasters.js';

/** The metadata that the writer gives; the codec adds what follows from the command and the type. */
export type CommandMetadata = Omit<EventMetadata, '$causationId' | 'schemaVersion'>;

/** What encoding needs: people's keys, the current versions, the personal fields, and the upcasters of old shapes. */
export interface EventCodecOptions {
  readonly people: PersonalKeys;
  readonly types: Readonly<Record<string, EventType>>;
  readonly personal: Readonly<Record<string, PersonalFields>>;
  readonly upcasters: readonly Upcaster[];
}

/** Converts events into the form that the log stores, and back: ids, metadata, personal fields, old shapes. */
export class EventCodec {
  readonly #sealing: PersonalSealing;
  readonly #types: Readonly<Record<string, EventType>>;
  readonly #upcasters: readonly Upcaster[];
  readonly #lift: (event: Shaped) => Shaped;

  /** Throws `BadUpcasters` if an old shape cannot be upcast, so that such a process does not start. */
  constructor({ people, types, personal, upcasters }: EventCodecOptions) {
    this.#sealing = new PersonalSealing(people, personal);
    this.#types = types;
    this.#upcasters = upcasters;
    this.#lift = upcasting(types, upcasters);
  }

  /**
   * Encodes the events of one command for its stream, with what is personal in them encrypted. The ids follow from command
   * id, stream and index, so that repeating the command gives the same ones.
   */
  async encode(
    stream: string,
    events: readonly Message[],
    { actor, ...metadata }: CommandMetadata,
    commandId: string,
  ): Promise<EventData[]> {
    const sealedActor = actor && (await this.#sealing.sealActor(actor));
    return Promise.all(
      events.map(async ({ type, data }, index) => ({
        id: eventId(commandId, stream, index),
        type,
        data: await this.#sealing.sealData(type, data),
        metadata: {
          $causationId: commandId,
          schemaVersion: this.#versionOf(type),
          ...metadata,
          ...(sealedActor && { actor: sealedActor }),
        },
      })),
    );
  }

  /** Decodes records, in their order. Asks the vault once for all keys of the batch. Rejects if one cannot be read. */
  async decode(records: readonly RecordedEvent[]): Promise<DomainEvent[]> {
    const keys = await this.#sealing.keysFor(records);
    return records.map((record) => this.#decode(record, keys));
  }

  /** As `decode`, but sets `unreadable` in the events that cannot be read. Rejects if the vault does not answer. */
  async decodeEach(records: readonly RecordedEvent[]): Promise<DomainEvent[]> {
    const keys = await this.#sealing.keysFor(records);
    return records.map((record) => {
      try {
        return this.#decode(record, keys);
      } catch (error) {
        return this.#unreadable(record, error as Error);
      }
    });
  }

  #unreadable(record: RecordedEvent, error: Error): DomainEvent {
    const at = record.recordedAt.toISOString();
    return {
      ...placeOf(record),
      type: currentTypeOf(record.type, this.#types, this.#upcasters),
      data: {},
      metadata: { $correlationId: '', $causationId: '', at, schemaVersion: 0 },
      unreadable: error,
    };
  }

  #decode(record: RecordedEvent, keys: UsableKeys): DomainEvent {
    const { type, data, metadata } = record;
    if (!isObject(data)) throw new DamagedEvent('its data is not a JSON object');
    if (!isMetadata(metadata)) throw new DamagedEvent('its metadata does not say of which version it is');
    const opened = this.#sealing.openMetadata(metadata, keys);
    const stored = { type, version: opened.schemaVersion, data: this.#sealing.openData(type, data, keys) };
    const shaped = this.#lift(stored);
    if (!Object.hasOwn(this.#types, shaped.type)) throw new UnknownEventShape(`${type} is not known`);
    return {
      ...placeOf(record),
      type: shaped.type,
      data: shaped.data,
      metadata: shaped === stored ? opened : { ...opened, schemaVersion: shaped.version },
    };
  }

  #versionOf(type: string): number {
    const version = this.#types[type]?.version;
    if (version === undefined) throw new TypeError(`event type ${type} is not registered`);
    return version;
  }
}

/** The fields of an event that the log itself gives, whatever its data. */
const placeOf = ({ id, stream, revision, position, recordedAt }: RecordedEvent) => ({
  id,
  stream,
  streamId: stream.slice(stream.indexOf('-') + 1),
  revision,
  position,
  recordedAt,
});
