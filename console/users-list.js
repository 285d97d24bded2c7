/** @import { User } from './types.js' */
import { get } from './api.js';
import { el } from './dom.js';

const ID = 'users';
/** How long typing must pause before users are looked up, in milliseconds. */
const PAUSE_MS = 200;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Returns the id of the list that proposes users, for the `list` of text fields. */
export function usersList() {
  if (document.getElementById(ID)) return ID;
  const list = el('datalist', { id: ID });
  document.body.append(list);
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.getAttribute('list') !== ID || target.value === '')
      return;
    clearTimeout(timer);
    timer = setTimeout(() => void propose(list, target.value), PAUSE_MS);
  });
  return ID;
}

/**
 * @param {HTMLDataListElement} list
 * @param {string} fragment
 */
async function propose(list, fragment) {
  try {
    /** @type {{ data: User[] }} */
    const { data } = await get('users/search', { q: fragment, limit: 10, as_of: undefined });
    list.replaceChildren(...data.map(({ login }) => el('option', { value: login })));
  } catch {
    list.replaceChildren(); // names can still be typed in full
  }
}
