import type { EventMetadata } from '../domain/metadata.js';
import type { JsonObject } from '../json.js';

/** An event of the log whose data or metadata are not what any release wrote. */
export class DamagedEvent extends Error {
  override readonly name = 'DamagedEvent';
}

/** Whether it is a JSON object: what other programs append is given by the drivers as it is, text, bytes or nothing. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether metadata say of which shape the event is and, where they name an actor, who that is. */
export const isMetadata = (metadata: unknown): metadata is EventMetadata & JsonObject => {
  if (!isObject(metadata)) return false;
  const { schemaVersion, actor } = metadata;
  return (
    Number.isInteger(schemaVersion) &&
    (actor === undefined || (isObject(actor) && Number.isSafeInteger(actor.id)))
  );
};
