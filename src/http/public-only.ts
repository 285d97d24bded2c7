import { isPublicOnly } from '../domain/accounts/scopes.js';
import type { Caller } from './caller.js';
import { Refused } from './refused.js';

/** Whether the caller's token reaches only what everybody may see. */
export const isNarrow = (caller: Caller): boolean =>
  caller !== undefined && caller.scopes !== 'unlimited' && isPublicOnly(caller.scopes);

/** Whether the caller's token does not reach what has this visibility. */
export const isOutOfReach = ({ visibility }: { readonly visibility: string }, caller: Caller): boolean =>
  visibility !== 'public' && isNarrow(caller);

/** 403 for what the caller's token does not reach. */
export function refuseNarrowToken(met: { readonly visibility: string }, caller: Caller): void {
  if (isOutOfReach(met, caller)) throw new Refused(403, 'the token reaches only what is public');
}
