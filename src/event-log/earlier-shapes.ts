import type { Json, JsonObject } from '../values/json.js';
import type { Upcaster } from './upcasters.js';

/**
 * Lifts the facts of a hook, or those of them that are there, to the ids that `vault/0005-hook-secrets.sql` gave its
 * secrets.
 */
function liftFacts(
  hookId: Json | undefined,
  { hasSecret, hasAuthorization, ...rest }: JsonObject,
): JsonObject {
  const idOf = (has: Json, part: string) => (has === true ? `hook ${Number(hookId)} ${part}` : null);
  return {
    ...rest,
    ...(hasSecret !== undefined && { secretId: idOf(hasSecret, 'secret') }),
    ...(hasAuthorization !== undefined && { authorizationId: idOf(hasAuthorization, 'authorization') }),
  };
}

/** An upcaster for every shape that was ever written and is no longer current. None may be removed. */
export const upcasters: readonly Upcaster[] = [
  {
    from: { type: 'HookCreated', version: 1 },
    to: { type: 'HookCreated', version: 2 },
    lift: (data) => liftFacts(data.hookId, data),
  },
  {
    from: { type: 'HookEdited', version: 1 },
    to: { type: 'HookEdited', version: 2 },
    // `secretsChanged` is dropped: the secret was replaced in place, so there is nothing else to tell.
    lift: ({ hookId, scope, ownerId, changes, before, editedAt }) => ({
      ...{ hookId, scope, ownerId, editedAt },
      changes: liftFacts(hookId, changes as JsonObject),
      before: liftFacts(hookId, before as JsonObject),
    }),
  },
];
