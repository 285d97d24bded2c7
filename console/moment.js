/**
 * A moment of the past: `asOf` for the API, which is a time or the position of a change, and its time in milliseconds.
 *
 * @typedef {{ readonly asOf: string, readonly time: number }} Moment
 */

/** The moment that the whole page shows; undefined for the present. */
/** @type {Moment | undefined} */
let moment;

/** @type {Set<() => void>} */
const listeners = new Set();

/** Returns the moment for the API's `as_of`; undefined for the present. */
export const asOf = () => moment?.asOf;

/** Returns the moment in milliseconds; undefined for the present. */
export const timeOfMoment = () => moment?.time;

/** @param {Moment | undefined} to */
export function goTo(to) {
  if (to?.asOf === moment?.asOf) return;
  moment = to;
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export const onMoment = (listener) => void listeners.add(listener);
