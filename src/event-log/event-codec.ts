import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../domain/domain-event.js';
import type { Message } from '../domain/decider.js';
import type { EventMetadata } from '../domain/metadata.js';
import type { EventData, RecordedEvent } from '../event-store/event-store.js';
import type { JsonObject } from '../json.js';
import { open, seal } from '../vault/sealing.js';
import { eventId } from './event-id.js';
import type { EventType } from './event-types.js';
import type { PersonalFields } from './personal-fields.js';
import { upcasting, type Shaped, type Upcaster } from './upcasters.js';

/** The keys that personal fields are encrypted under, by account id: the vault's. */
export interface PersonalKeys {
  /** The key of a person, made on first use; undefined for good once it was shredded. */
  ensure(id: number): Promise<Buffer | undefined>;
  /** The keys there are; a shredded one is missing. */
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

type Keys = ReadonlyMap<number, Buffer>;

/** Holds the sealed personal fields of an event, as JSON in base64. */
const SEALED = '$personal';
/** The few people who act are named in most events, so their names are sealed once and remembered. */
const REMEMBERED_ACTORS = 10_000;

/** Turns events into what the log stores, and back: ids, metadata, personal fields, old shapes. */
export class EventCodec {
  readonly #people: PersonalKeys;
  readonly #types: Readonly<Record<string, EventType>>;
  readonly #personal: ReadonlyMap<string, PersonalFields>;
  readonly #lift: (event: Shaped) => Shaped;
  readonly #sealedNames = new LRUCache<string, string>({ max: REMEMBERED_ACTORS });
  readonly #openedNames = new LRUCache<string, string>({ max: REMEMBERED_ACTORS });

  /** Throws `BadUpcasters`, so that a process with a hole in its history does not start. */
  constructor({ people, types, personal, upcasters }: EventCodecOptions) {
    this.#people = people;
    this.#types = types;
    this.#personal = new Map(Object.entries(personal));
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

  /** The events in their order. Asks the vault once for the keys of everybody in the batch. */
  async decode(records: readonly RecordedEvent[]): Promise<DomainEvent[]> {
    const people = this.#peopleIn(records);
    const keys: Keys = people.size === 0 ? new Map() : await this.#people.keysFor([...people]);
    return records.map((record) => this.#decode(record, keys));
  }

  #decode({ id, type, data, metadata, stream, revision, position, recordedAt }: RecordedEvent, keys: Keys) {
    const opened = this.#openMetadata(metadata as unknown as EventMetadata, keys);
    const stored = { type, version: opened.schemaVersion, data: this.#openData(type, data, keys) };
    const shaped = this.#lift(stored);
    return {
      type: shaped.type,
      data: shaped.data,
      id,
      stream,
      streamId: stream.slice(stream.indexOf('-') + 1),
      revision,
      position,
      recordedAt,
      metadata: shaped === stored ? opened : { ...opened, schemaVersion: shaped.version },
    };
  }

  #peopleIn(records: readonly RecordedEvent[]): Set<number> {
    const people = new Set<number>();
    for (const { type, data, metadata } of records) {
      const personal = this.#personal.get(type);
      if (personal) people.add(data[personal.person] as number);
      const actor = metadata.actor as EventMetadata['actor'];
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
    const person = data[personal.person] as number;
    const key = keys.get(person);
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
    const key = keys.get(actor.id); // asked each time: what is remembered is not for an erased person
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
