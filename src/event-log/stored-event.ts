import type { EventMetadata } from '../domain/metadata.js';
import type { JsonObject } from '../values/json.js';

/** An event whose data or metadata have a form that no release wrote. */
export class DamagedEvent extends Error {
  override readonly name = 'DamagedEvent';
}

/** Tells whether a value is a JSON object. Events of other programs may have text, bytes or nothing in its place. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Tells whether metadata give the version of the event's shape and, if they name an actor, its id. */
export const isMetadata = (metadata: unknown): metadata is EventMetadata & JsonObject => {
  if (!isObject(metadata)) return false;
  const { schemaVersion, actor } = metadata;
  return (
    Number.isInteger(schemaVersion) &&
    (actor === undefined || (isObject(actor) && Number.isSafeInteger(actor.id)))
  );
};
