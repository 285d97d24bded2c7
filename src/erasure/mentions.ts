import { GHOST_ID } from '../domain/accounts/ghost.js';
import { ERASED } from '../domain/erased.js';
import { parseJson } from '../values/json.js';

/**
 * Tells whether a body shows an account, at any depth: an object with its id and a login, with its `user_id` and
 * `username`, as a refusal for lack of room has, or a `user` with its id, as a rehearsal has. What may be about the account
 * counts too: content by deleted authors, and names without an id, as rules and commits have them.
 */
export function mentions(body: string, accountId: number): boolean {
  try {
    return shows(parseJson(body), accountId);
  } catch {
    return false; // not JSON: a raw file, or empty
  }
}

function shows(value: unknown, accountId: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('login' in value && hasId(value, accountId)) return true;
  if ('username' in value && 'user_id' in value && Number(value.user_id) === accountId) return true;
  if ('user' in value && hasId(value.user, accountId)) return true;
  if ('body' in value && 'user' in value && value.body !== ERASED && shows(value.user, GHOST_ID)) return true;
  if ('username' in value && 'email' in value && !('id' in value || 'user_id' in value) && value.username)
    return true;
  return Object.entries(value).some(
    ([name, part]) => (LISTS_OF_NAMES.test(name) && !isEmpty(part)) || shows(part, accountId),
  );
}

/** The fields of rules that list users by name. */
const LISTS_OF_NAMES = /_whitelist_usernames?$/;

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

const hasId = (value: unknown, id: number): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && Number(value.id) === id;
