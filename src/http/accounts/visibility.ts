import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { Caller } from '../caller.js';
import { seesPrivate } from './presenter.js';

/** Whether the caller may know that the account exists (conventions §9). */
export function isVisible({ id, visibility }: AccountRow, caller: Caller): boolean {
  if (visibility === 'public' || seesPrivate(caller, id)) return true;
  return visibility === 'limited' && caller !== undefined && !caller.restricted;
}
