/**
 * A moment of the past: what the API is asked for, a time or the position of a change, and when that was, in milliseconds.
 *
 * @typedef {{ readonly asOf: string, readonly time: number }} Moment
 */

/** The moment that the whole page shows; undefined is now. */
/** @type {Moment | undefined} */
let moment;

/** @type {Set<() => void>} */
const listeners = new Set();

/** As the API takes it; undefined is now. */
export const asOf = () => moment?.asOf;

/** Milliseconds; undefined is now. */
export const timeOfMoment = () => moment?.time;

/** @param {Moment | undefined} to */
export function goTo(to) {
  if (to?.asOf === moment?.asOf) return;
  moment = to;
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export const onMoment = (listener) => void listeners.add(listener);
