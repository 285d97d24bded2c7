import type { z } from 'zod';
import type { Queryable } from '../../database/database.js';
import type { ScopeCategory } from '../../domain/accounts/scopes.js';
import { notFound } from '../../domain/errors.js';
import type { HookPlace } from '../../domain/hooks/hook-messages.js';
import { findHook, type HookRow } from '../../queries/hooks/hooks.js';
import type { Access } from '../access.js';
import type { Actions } from '../actions.js';
import type { Caller, Principal } from '../caller.js';

/** The parameters of a path that names a delivery, a UUID, of a hook. */
export type DeliveryOf<Params> = HookOf<Params> & { readonly delivery: string };
/** The parameters of a path that names a hook in its place. */
export type HookOf<Params> = Params & { readonly id: number };

/** Hooks of one kind of place: the same operations under paths, rights and names of its own. */
export interface HookFamily<Params, Parent> {
  /** Operation ids begin with it. */
  readonly name: 'org' | 'repo' | 'user' | 'admin';
  /** Where its hooks are listed. */
  readonly path: `/${string}`;
  readonly access: Access<Principal, Parent>;
  readonly scope: ScopeCategory;
  readonly params: z.ZodType<Params>;
  /** As `params`, with the id of a hook. */
  readonly hookParams: z.ZodType<HookOf<Params>>;
  /** As `hookParams`, with the id of a delivery. */
  readonly deliveryParams: z.ZodType<DeliveryOf<Params>>;
  readonly parent: (place: Pick<Actions, 'db'> & { caller: Caller; params: Params }) => Promise<Parent>;
  readonly placeOf: (parent: Parent) => HookPlace;
}

/** The hook of that id in the place; 404 where it is another's, too. */
export async function hookAt(db: Queryable, place: HookPlace, id: number): Promise<HookRow> {
  const hook = await findHook(db, place, id);
  if (!hook) throw notFound('hook.absent', 'the hook does not exist');
  return hook;
}

/** What makes sure that the hook which a path names is there: see `RouteDeclaration.exists`. */
export const hookOf =
  <Params, Parent>({ placeOf }: HookFamily<Params, Parent>) =>
  (request: Pick<Actions, 'db'> & { readonly parent: Parent; readonly params: HookOf<Params> }) =>
    hookAt(request.db, placeOf(request.parent), request.params.id);
