import { isPublicOnly } from '../domain/accounts/scopes.js';
import type { CommandContext } from '../commands/context.js';
import type { Caller, Principal } from './caller.js';
import { Refused } from './refused.js';

/** Tells whether the caller's token is limited to what is public. */
export const isNarrow = (caller: Caller): boolean =>
  caller !== undefined && caller.scopes !== 'unlimited' && isPublicOnly(caller.scopes);

/** Returns who acts in commands of this caller, and whether the token limits them to what is public. */
export const actingAs = (caller: Principal): Pick<CommandContext, 'actor' | 'publicOnly'> => ({
  actor: { id: caller.accountId, name: caller.name },
  ...(isNarrow(caller) && { publicOnly: true }),
});

/** Tells whether the caller's token does not reach something of this visibility. */
export const isOutOfReach = ({ visibility }: { readonly visibility: string }, caller: Caller): boolean =>
  visibility !== 'public' && isNarrow(caller);

/** Throws 403 if the caller's token does not reach something of this visibility. */
export function refuseNarrowToken(met: { readonly visibility: string }, caller: Caller): void {
  if (isOutOfReach(met, caller)) throw new Refused(403, 'the token reaches only what is public');
}
