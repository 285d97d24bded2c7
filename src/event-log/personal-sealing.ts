import type { EventMetadata } from '../domain/metadata.js';
import type { RecordedEvent } from '../event-store/event-store.js';
import type { JsonObject } from '../values/json.js';
import { recentlyUsed } from '../values/recently-used.js';
import { DamagedKey } from '../vault/people.js';
import { open, seal } from '../vault/sealing.js';
import type { PersonalFields } from './personal-fields.js';
import { DamagedEvent, isMetadata, isObject } from './stored-event.js';

/** The part of the vault that holds the keys of personal fields, by account id. */
export interface PersonalKeys {
  /** Returns the key of a person, creating it on first use; undefined once it was shredded, which is final. */
  ensure(id: number): Promise<Buffer | undefined>;
  /** Returns the keys that exist, without shredded ones. Rejects with `DamagedKey` if one cannot be decrypted. */
  keysFor(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>>;
}

/** The keys of the people in a batch, by account id, with an error in place of a damaged one. */
export type UsableKeys = ReadonlyMap<number, Buffer | DamagedKey>;

type Actor = NonNullable<EventMetadata['actor']>;

/** The field of an event that holds its encrypted personal fields, in base64. */
const SEALED = '$personal';
/** How many encrypted names of actors are cached. A few people act in most events. */
const REMEMBERED_ACTORS = 10_000;

/**
 * Encrypts the personal fields of events under the key of the person, and decrypts them; those of an erased person read
 * as null.
 */
export class PersonalSealing {
  readonly #personal: ReadonlyMap<string, PersonalFields>;
  readonly #sealedNames = recentlyUsed<string, string>(REMEMBERED_ACTORS);
  readonly #openedNames = recentlyUsed<string, string>(REMEMBERED_ACTORS);

  constructor(
    private readonly people: PersonalKeys,
    personal: Readonly<Record<string, PersonalFields>>,
  ) {
    this.#personal = new Map(Object.entries(personal));
  }

  /**
   * Returns the keys of all people whom these events are about, or who caused them. Asks the vault once, unless one is
   * damaged.
   */
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

  /** Asks for the keys one by one, to find out which one is damaged. */
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

  /** Returns the data of an event as it is stored. Personal fields of an erased person are left out. */
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

  /**
   * Returns the data that `sealData` was given. Throws `DamagedEvent`, `DamagedKey`, or an error if it cannot be
   * decrypted.
   */
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

  /** Returns the actor with an encrypted name, as metadata store it. */
  async sealActor({ id, name }: Actor): Promise<Actor> {
    const key = await this.people.ensure(id);
    if (!key || name === null) return { id, name: null };
    const remembered = `${id} ${name}`;
    const sealed = this.#sealedNames.get(remembered) ?? seal(key, name, `actor ${id}`).toString('base64');
    this.#sealedNames.set(remembered, sealed);
    return { id, name: sealed };
  }

  /** Returns metadata with the actor's name decrypted. Throws `DamagedKey`, or an error if it cannot be decrypted. */
  openMetadata(metadata: EventMetadata, keys: UsableKeys): EventMetadata {
    const { actor } = metadata;
    if (!actor?.name) return metadata;
    const key = usable(keys.get(actor.id)); // checked each time, because a cached name may be of a person erased since
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
