import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../domain/domain-event.js';
import type { Message } from '../domain/decider.js';
import type { EventMetadata } from '../domain/metadata.js';
import type { EventData, RecordedEvent } from '../event-store/event-store.js';
import type { JsonObject } from '../json.js';
import { DamagedKey } from '../vault/people.js';
import { open, seal } from '../vault/sealing.js';
import { eventId } from './event-id.js';
import type { EventType } from './event-types.js';
import type { PersonalFields } from './personal-fields.js';
import { currentTypeOf, UnknownEventShape, upcasting, type Shaped, type Upcaster } from './upcasters.js';

/** The keys that personal fields are encrypted under, by account id: the vault's. */
export interface PersonalKeys {
  /** The key of a person, made on first use; undefined for good once it was shredded. */
  ensure(id: number): Promise<Buffer | undefined>;
  /** The keys there are; a shredded one is missing. Rejects with `DamagedKey` where one cannot be read. */
  keysFor(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>>;
}

/** What the writer knows of an event's metadata; the codec adds what follows from command and type. */
export type CommandMetadata = Omit<EventMetadata, '$causationId' | 'schemaVersion'>;

export interface EventCodecOptions {
  readonly people: PersonalKeys;
  readonly types: Readonly<Record<string, EventType>>;
  readonly personal: Readonly<Record<string, PersonalFields>>;
  readonly upcasters: readonly Upcaster[];
}

/** By account id; the error stands for a key that is damaged. */
type Keys = ReadonlyMap<number, Buffer | DamagedKey>;

/** An event of the log whose data or metadata are not what any release wrote. */
export class DamagedEvent extends Error {
  override readonly name = 'DamagedEvent';
}

/** Holds the sealed personal fields of an event, as JSON in base64. */
const SEALED = '$personal';
/** The few people who act are named in most events, so their names are sealed once and remembered. */
const REMEMBERED_ACTORS = 10_000;

/** Turns events into what the log stores, and back: ids, metadata, personal fields, old shapes. */
export class EventCodec {
  readonly #people: PersonalKeys;
  readonly #types: Readonly<Record<string, EventType>>;
  readonly #personal: ReadonlyMap<string, PersonalFields>;
  readonly #upcasters: readonly Upcaster[];
  readonly #lift: (event: Shaped) => Shaped;
  readonly #sealedNames = new LRUCache<string, string>({ max: REMEMBERED_ACTORS });
  readonly #openedNames = new LRUCache<string, string>({ max: REMEMBERED_ACTORS });

  /** Throws `BadUpcasters`, so that a process with a hole in its history does not start. */
  constructor({ people, types, personal, upcasters }: EventCodecOptions) {
    this.#people = people;
    this.#types = types;
    this.#personal = new Map(Object.entries(personal));
    this.#upcasters = upcasters;
    this.#lift = upcasting(types, upcasters);
  }

  async encode(
    stream: string,
    events: readonly Message[],
    { actor, ...metadata }: CommandMetadata,
    commandId: string,
  ): Promise<EventData[]> {
    const sealedActor = actor && { id: actor.id, name: await this.#sealName(actor) };
    return Promise.all(
      events.map(async ({ type, data }, index) => ({
        id: eventId(commandId, stream, index),
        type,
        data: await this.#sealData(type, data),
        metadata: {
          ...(sealedActor && { actor: sealedActor }),
          ...metadata,
          $causationId: commandId,
          schemaVersion: this.#versionOf(type),
        },
      })),
    );
  }

  /**
   * The events in their order. Asks the vault once for the keys of everybody in the batch. Throws for an event that
   * cannot be read.
   */
  async decode(records: readonly RecordedEvent[]): Promise<DomainEvent[]> {
    const keys = await this.#keysFor(records);
    return records.map((record) => this.#decode(record, keys));
  }

  /** As `decode`, with `unreadable` in those that cannot be read. Throws where the vault cannot be asked. */
  async decodeEach(records: readonly RecordedEvent[]): Promise<DomainEvent[]> {
    const keys = await this.#keysFor(records);
    return records.map((record) => {
      try {
        return this.#decode(record, keys);
      } catch (error) {
        return this.#unreadable(record, error as Error);
      }
    });
  }

  async #keysFor(records: readonly RecordedEvent[]): Promise<Keys> {
    const people = [...this.#peopleIn(records)];
    if (people.length === 0) return new Map();
    try {
      return await this.#people.keysFor(people);
    } catch (error) {
      if (!(error instanceof DamagedKey)) throw error;
      return this.#keysOneByOne(people);
    }
  }

  /** Finds whose key is damaged. */
  async #keysOneByOne(people: readonly number[]): Promise<Keys> {
    const keys = new Map<number, Buffer | DamagedKey>();
    for (const person of people) {
      const known: Keys = await this.#people.keysFor([person]).catch((error: unknown) => {
        if (error instanceof DamagedKey) return new Map([[person, error]]);
        throw error;
      });
      for (const [id, key] of known) keys.set(id, key);
    }
    return keys;
  }

  #unreadable(
    { type, stream, revision, position, recordedAt, id }: RecordedEvent,
    error: Error,
  ): DomainEvent {
    return {
      type: currentTypeOf(type, this.#types, this.#upcasters),
      data: {},
      id,
      stream,
      streamId: streamIdOf(stream),
      revision,
      position,
      recordedAt,
      metadata: { $correlationId: '', $causationId: '', at: recordedAt.toISOString(), schemaVersion: 0 },
      unreadable: error,
    };
  }

  #decode({ id, type, data, metadata, stream, revision, position, recordedAt }: RecordedEvent, keys: Keys) {
    if (!isObject(data)) throw new DamagedEvent('its data is not a JSON object');
    if (!isMetadata(metadata)) throw new DamagedEvent('its metadata does not say of which version it is');
    const opened = this.#openMetadata(metadata, keys);
    const stored = { type, version: opened.schemaVersion, data: this.#openData(type, data, keys) };
    const shaped = this.#lift(stored);
    if (!Object.hasOwn(this.#types, shaped.type)) throw new UnknownEventShape(`${type} is not known`);
    return {
      type: shaped.type,
      data: shaped.data,
      id,
      stream,
      streamId: streamIdOf(stream),
      revision,
      position,
      recordedAt,
      metadata: shaped === stored ? opened : { ...opened, schemaVersion: shaped.version },
    };
  }

  #peopleIn(records: readonly RecordedEvent[]): Set<number> {
    const people = new Set<number>();
    for (const { type, data, metadata } of records) {
      const person = isObject(data) && personOf(data, this.#personal.get(type));
      if (person) people.add(person);
      const actor = isMetadata(metadata) && metadata.actor;
      if (actor) people.add(actor.id);
    }
    return people;
  }

  async #sealData(type: string, data: JsonObject): Promise<JsonObject> {
    const personal = this.#personal.get(type);
    if (!personal) return data;
    const isPersonal = ([field]: [string, unknown]) => personal.fields.includes(field);
    const stored = Object.fromEntries(Object.entries(data).filter((entry) => !isPersonal(entry)));
    const secret = Object.fromEntries(Object.entries(data).filter(isPersonal));
    const person = data[personal.person] as number;
    const key = await this.#people.ensure(person);
    if (!key) return stored;
    return { ...stored, [SEALED]: seal(key, JSON.stringify(secret), `${type} ${person}`).toString('base64') };
  }

  #openData(type: string, stored: JsonObject, keys: Keys): JsonObject {
    const personal = this.#personal.get(type);
    if (!personal) return stored;
    const { [SEALED]: sealed, ...data } = stored;
    const person = personOf(data, personal);
    if (person === undefined) throw new DamagedEvent('it does not say whose it is');
    const key = usable(keys.get(person));
    if (!key || typeof sealed !== 'string') {
      return { ...data, ...Object.fromEntries(personal.fields.map((field) => [field, null])) };
    }
    const opened = open(key, Buffer.from(sealed, 'base64'), `${type} ${person}`).toString();
    return { ...data, ...(JSON.parse(opened) as JsonObject) };
  }

  async #sealName({ id, name }: { id: number; name: string | null }): Promise<string | null> {
    const key = await this.#people.ensure(id);
    if (!key || name === null) return null;
    const remembered = `${id} ${name}`;
    const sealed = this.#sealedNames.get(remembered) ?? seal(key, name, `actor ${id}`).toString('base64');
    this.#sealedNames.set(remembered, sealed);
    return sealed;
  }

  #openMetadata(metadata: EventMetadata, keys: Keys): EventMetadata {
    const { actor } = metadata;
    if (!actor?.name) return metadata;
    const key = usable(keys.get(actor.id)); // asked each time: what is remembered is not for an erased person
    return {
      ...metadata,
      actor: { id: actor.id, name: key ? this.#openName(key, actor.id, actor.name) : null },
    };
  }

  #openName(key: Buffer, id: number, sealed: string): string {
    const known = this.#openedNames.get(sealed);
    if (known !== undefined) return known;
    const name = open(key, Buffer.from(sealed, 'base64'), `actor ${id}`).toString();
    this.#openedNames.set(sealed, name);
    return name;
  }

  #versionOf(type: string): number {
    const version = this.#types[type]?.version;
    if (version === undefined) throw new TypeError(`event type ${type} is not registered`);
    return version;
  }
}

const streamIdOf = (stream: string) => stream.slice(stream.indexOf('-') + 1);

// What other programs append is given by the drivers as it is: text, bytes, nothing.
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isMetadata = (metadata: unknown): metadata is EventMetadata & JsonObject => {
  if (!isObject(metadata)) return false;
  const { schemaVersion, actor } = metadata;
  return (
    Number.isInteger(schemaVersion) &&
    (actor === undefined || (isObject(actor) && Number.isInteger(actor.id)))
  );
};

function personOf(data: JsonObject, personal: PersonalFields | undefined): number | undefined {
  const person = personal && data[personal.person];
  return Number.isInteger(person) ? (person as number) : undefined;
}

function usable(key: Buffer | DamagedKey | undefined): Buffer | undefined {
  if (key instanceof DamagedKey) throw key;
  return key;
}
