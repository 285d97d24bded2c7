import type { CommandContext } from '../commands/context.js';
import { isPublicOnly } from '../domain/accounts/scopes.js';
import { forbidden } from '../domain/errors.js';
import type { Caller, Principal } from './caller.js';

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

/** Refuses, as a rule would and with 403, if the caller's token does not reach something of this visibility. */
export function refuseNarrowToken(met: { readonly visibility: string }, caller: Caller): void {
  if (isOutOfReach(met, caller))
    throw forbidden('token.public_only', 'the token reaches only what is public');
}
