const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** @param {string | number | Date} time */
export const timeText = (time) => full.format(new Date(time));

/** @param {string} time */
export const dayText = (time) => day.format(new Date(time));

/**
 * Formats a moment for an axis.
 *
 * @param {number} seconds
 * @param {number} step the seconds between two ticks
 */
export const tickText = (seconds, step) =>
  (step < 86_400 ? hour : dayOfYear).format(new Date(seconds * 1000));
