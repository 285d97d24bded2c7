import { AppendTooLarge, InvalidAppend, MAX_APPEND_BYTES, type EventData } from './event-store.js';

/** An event in the form that is sent: `data` and `metadata` as JSON text, the id in lower case. */
export interface SerialisedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** Of data and metadata together, as UTF-8. */
  readonly bytes: number;
}

// Long enough for any key, short enough for every store's index.
const MAX_NAME_BYTES = 1024;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const unstorable = /\0|\p{Surrogate}/u;

/**
 * Checks an append before anything is sent and serialises each event once. Throws `InvalidAppend` naming what is
 * wrong: one bad append must fail alone, and some servers and clients take others down with it.
 */
export function validateAppend(stream: string, events: readonly EventData[]): readonly SerialisedEvent[] {
  checkName('stream', stream);
  if (events.length === 0) throw new InvalidAppend('an append needs an event');
  const serialised = events.map(serialise);
  if (new Set(serialised.map(({ id }) => id)).size < events.length) {
    throw new InvalidAppend('two events of one append have the same id');
  }
  const bytes = serialised.reduce((sum, event) => sum + event.bytes + 2 * event.type.length, 0);
  if (bytes > MAX_APPEND_BYTES) {
    throw new AppendTooLarge(bytes);
  }
  return serialised;
}

function serialise(event: EventData): SerialisedEvent {
  if (!uuid.test(event.id)) throw new InvalidAppend(`event id ${event.id} is not a UUID`);
  checkName('event type', event.type);
  const data = toJson('data', event.data);
  const metadata = toJson('metadata', event.metadata);
  return {
    id: event.id.toLowerCase(),
    type: event.type,
    data,
    metadata,
    bytes: Buffer.byteLength(data) + Buffer.byteLength(metadata),
  };
}

function checkName(what: string, name: string): void {
  if (!name) throw new InvalidAppend(`the ${what} is empty`);
  if (unstorable.test(name)) throw new InvalidAppend(`the ${what} holds characters that cannot be stored`);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new InvalidAppend(`the ${what} is longer than ${MAX_NAME_BYTES} bytes`);
  }
}

function toJson(what: string, value: unknown): string {
  let text: unknown; // undefined for what JSON has no word for, whatever the types say
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new InvalidAppend(`${what} is not JSON`, { cause: error });
  }
  if (typeof text !== 'string' || !text.startsWith('{'))
    throw new InvalidAppend(`${what} is not a JSON object`);
  return text;
}
