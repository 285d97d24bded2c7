import { isPublicOnly } from '../domain/accounts/scopes.js';
import type { Caller } from './caller.js';
import { Refused } from './refused.js';

/** Whether the caller's token reaches only what everybody may see. */
export const isNarrow = (caller: Caller): boolean =>
  caller !== undefined && caller.scopes !== 'unlimited' && isPublicOnly(caller.scopes);

/** 403 where such a token is shown for what is not public. */
export function refuseNarrowToken({ visibility }: { readonly visibility: string }, caller: Caller): void {
  if (visibility !== 'public' && isNarrow(caller))
    throw new Refused(403, 'the token reaches only what is public');
}
