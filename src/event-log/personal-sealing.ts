import { LRUCache } from 'lru-cache';
import type { EventMetadata } from '../domain/metadata.js';
import type { RecordedEvent } from '../event-store/event-store.js';
import type { JsonObject } from '../json.js';
import { DamagedKey } from '../vault/people.js';
import { open, seal } from '../vault/sealing.js';
import type { PersonalFields } from './personal-fields.js';
import { DamagedEvent, isMetadata, isObject } from './stored-event.js';

/** The keys that personal fields are encrypted under, by account id: the vault's. */
export interface PersonalKeys {
  /** The key of a person, made on first use; undefined for good once it was shredded. */
  ensure(id: number): Promise<Buffer | undefined>;
  /** The keys there are; a shredded one is missing. Rejects with `DamagedKey` where one cannot be read. */
  keysFor(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>>;
}

/** What the vault has for the people of a batch, by account id; the error stands for a key that is damaged. */
export type UsableKeys = ReadonlyMap<number, Buffer | DamagedKey>;

type Actor = NonNullable<EventMetadata['actor']>;

/** Holds the sealed personal fields of an event, as JSON in base64. */
const SEALED = '$personal';
/** The few people who act are named in most events, so their names are sealed once and remembered. */
const REMEMBERED_ACTORS = 10_000;

/** Seals what events tell of persons, under the key of each, and opens it; what an erased person said reads as null. */
export class PersonalSealing {
  readonly #personal: ReadonlyMap<string, PersonalFields>;
  readonly #sealedNames = new LRUCache<string, string>({ max: REMEMBERED_ACTORS });
  readonly #openedNames = new LRUCache<string, string>({ max: REMEMBERED_ACTORS });

  constructor(
    private readonly people: PersonalKeys,
    personal: Readonly<Record<string, PersonalFields>>,
  ) {
    this.#personal = new Map(Object.entries(personal));
  }

  /** The keys of everybody whom these events are about, or who made them. Asks the vault once, unless one is damaged. */
  async keysFor(records: readonly RecordedEvent[]): Promise<UsableKeys> {
    const people = [...this.#peopleIn(records)];
    if (people.length === 0) return new Map();
    try {
      return await this.people.keysFor(people);
    } catch (error) {
      if (!(error instanceof DamagedKey)) throw error;
      return this.#keysOneByOne(people);
    }
  }

  /** Finds whose key is damaged. */
  async #keysOneByOne(people: readonly number[]): Promise<UsableKeys> {
    const keys = new Map<number, Buffer | DamagedKey>();
    for (const person of people) {
      const known: UsableKeys = await this.people.keysFor([person]).catch((error: unknown) => {
        if (error instanceof DamagedKey) return new Map([[person, error]]);
        throw error;
      });
      for (const [id, key] of known) keys.set(id, key);
    }
    return keys;
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

  /** The data of an event as it is stored; what is personal is left out where the person is erased. */
  async sealData(type: string, data: JsonObject): Promise<JsonObject> {
    const personal = this.#personal.get(type);
    if (!personal) return data;
    const isPersonal = ([field]: [string, unknown]) => personal.fields.includes(field);
    const stored = Object.fromEntries(Object.entries(data).filter((entry) => !isPersonal(entry)));
    const secret = Object.fromEntries(Object.entries(data).filter(isPersonal));
    const person = data[personal.person] as number;
    const key = await this.people.ensure(person);
    if (!key) return stored;
    return { [SEALED]: seal(key, JSON.stringify(secret), `${type} ${person}`).toString('base64'), ...stored };
  }

  /** What `sealData` stored. Throws `DamagedEvent`, `DamagedKey`, or where the seal is broken. */
  openData(type: string, stored: JsonObject, keys: UsableKeys): JsonObject {
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
    return Object.assign({}, data, JSON.parse(opened) as JsonObject);
  }

  /** Who did it, as metadata store it. */
  async sealActor({ id, name }: Actor): Promise<Actor> {
    const key = await this.people.ensure(id);
    if (!key || name === null) return { id, name: null };
    const remembered = `${id} ${name}`;
    const sealed = this.#sealedNames.get(remembered) ?? seal(key, name, `actor ${id}`).toString('base64');
    this.#sealedNames.set(remembered, sealed);
    return { id, name: sealed };
  }

  /** Metadata with an actor that `sealActor` stored. Throws `DamagedKey`, or where the seal is broken. */
  openMetadata(metadata: EventMetadata, keys: UsableKeys): EventMetadata {
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
}

function personOf(data: JsonObject, personal: PersonalFields | undefined): number | undefined {
  const person = personal && data[personal.person];
  return Number.isSafeInteger(person) ? (person as number) : undefined; // the vault has no other ids
}

function usable(key: Buffer | DamagedKey | undefined): Buffer | undefined {
  if (key instanceof DamagedKey) throw key;
  return key;
}
