import { GHOST_ID } from '../domain/accounts/ghost.js';
import { ERASED } from '../domain/erased.js';
import { parseJson } from '../values/json.js';

/**
 * Tells whether a body shows an account: an object with its id and a login, at any depth. Content by deleted authors
 * counts too, because it may be the account's.
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
  if ('login' in value && 'id' in value && Number(value.id) === accountId) return true;
  if ('body' in value && 'user' in value && value.body !== ERASED && shows(value.user, GHOST_ID)) return true;
  return Object.values(value).some((part) => shows(part, accountId));
}
