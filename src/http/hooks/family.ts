import type { z } from 'zod';
import type { Queryable } from '../../database/queryable.js';
import type { ScopeCategory } from '../../domain/accounts/scopes.js';
import { notFound } from '../../domain/errors.js';
import type { HookPlace } from '../../domain/hooks/hook-messages.js';
import { findHook, type HookRow } from '../../queries/hooks/hooks.js';
import type { Access } from '../access.js';
import type { Actions } from '../actions.js';
import type { Caller, Principal } from '../caller.js';
import { refuseNarrowToken } from '../public-only.js';

/** The parameters of a path that names a delivery (a UUID) of a hook. */
export type DeliveryOf<Params> = HookOf<Params> & { readonly delivery: string };
/** The parameters of a path that names a hook. */
export type HookOf<Params> = Params & { readonly id: number };

/** The hooks of one kind of owner: each family has the same operations, with its own paths, rights and names. */
export interface HookFamily<Params, Parent> {
  /** The prefix of the operation ids. */
  readonly name: 'org' | 'repo' | 'user' | 'admin';
  /** The path of the list of hooks. */
  readonly path: `/${string}`;
  readonly access: Access<Principal, Parent>;
  readonly scope: ScopeCategory;
  readonly params: z.ZodType<Params>;
  /** As `params`, with a hook's id. */
  readonly hookParams: z.ZodType<HookOf<Params>>;
  /** As `hookParams`, with a delivery's id. */
  readonly deliveryParams: z.ZodType<DeliveryOf<Params>>;
  readonly parent: (place: Pick<Actions, 'db'> & { caller: Caller; params: Params }) => Promise<Parent>;
  readonly placeOf: (parent: Parent) => HookPlace;
  /** Whether its hooks are told of private repositories although their owner is within reach of any token. */
  readonly tellsOfPrivate?: true;
}

/**
 * Makes the `parent` of routes that show what hooks are told, or decide where it goes. Throws 403 for a token limited to
 * what is public if that may be about private repositories.
 */
export const parentToBeTold =
  <Params, Parent>({ parent, tellsOfPrivate }: HookFamily<Params, Parent>): typeof parent =>
  async (place) => {
    const met = await parent(place);
    if (tellsOfPrivate) refuseNarrowToken({ visibility: 'private' }, place.caller);
    return met;
  };

/** Finds the hook with that id in its place. Throws 404 if there is none, or if it belongs to another place. */
export async function hookAt(db: Queryable, place: HookPlace, id: number): Promise<HookRow> {
  const hook = await findHook(db, place, id);
  if (!hook) throw notFound('hook.absent', 'the hook does not exist');
  return hook;
}

/** Makes the `exists` of routes whose path names a hook; see `RouteDeclaration.exists`. */
export const hookOf =
  <Params, Parent>({ placeOf }: HookFamily<Params, Parent>) =>
  (request: Pick<Actions, 'db'> & { readonly parent: Parent; readonly params: HookOf<Params> }) =>
    hookAt(request.db, placeOf(request.parent), request.params.id);
