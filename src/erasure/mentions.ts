import { GHOST_ID } from '../domain/accounts/ghost.js';
import { ERASED } from '../domain/erased.js';
import { parseJson } from '../json.js';

/**
 * Whether a body shows an account: an object with its id and a login, at any depth. What somebody deleted wrote may be the
 * account's.
 */
export function mentions(body: string, accountId: number): boolean {
  try {
    return shows(parseJson(body), accountId);
  } catch {
    return false; // no JSON: a raw file, or nothing
  }
}

function shows(value: unknown, accountId: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('login' in value && 'id' in value && Number(value.id) === accountId) return true;
  if ('body' in value && 'user' in value && value.body !== ERASED && shows(value.user, GHOST_ID)) return true;
  return Object.values(value).some((part) => shows(part, accountId));
}
