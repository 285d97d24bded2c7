import { el } from './dom.js';

/**
 * Links to the part that shows an account.
 *
 * @param {string | null} name null if the person was erased
 */
export const accountLink = (name) =>
  name === null
    ? el('span', { class: 'quiet' }, 'an account that is gone')
    : el('a', { href: `#account/${encodeURIComponent(name)}` }, name);
