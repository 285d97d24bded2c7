import type { Queryable } from '../../database/queryable.js';
import { fragment, type Fragment } from '../../database/sql.js';
import { isThere } from '../count.js';

/** The condition that two accounts are members of one organization. The first may be an SQL expression of its id. */
const shareOrganization = (one: number | Fragment, other: number | null): Fragment => fragment`exists (
  select from organization_members o join organization_members v using (organization_id)
  where o.account_id = ${one} and v.account_id = ${other})`;

/** The condition that two accounts share an organization, or one of them is an organization with the other as a member. */
export const tied = (one: number | Fragment, other: number | null): Fragment => fragment`(
  exists (select from organization_members where organization_id = ${one} and account_id = ${other})
  or ${shareOrganization(one, other)})`;

/** The viewer of a list of users, and which of them the viewer may see. */
export interface Knower {
  /** Null for an anonymous viewer. */
  readonly viewerId: number | null;
  /** The visibilities of the users that the viewer may see without sharing an organization with them. */
  readonly sees: readonly string[];
}

/** A viewer that may see all users. */
export const everybody: Knower = { viewerId: null, sees: ['public', 'limited', 'private'] };

/** The condition that the viewer may see the user `a`. */
export const knownTo = ({ viewerId, sees }: Knower): Fragment => fragment`(
  a.visibility = any(${sees}::text[]) or a.id = ${viewerId} or ${shareOrganization(fragment`a.id`, viewerId)})`;

/** Tells whether two accounts are `tied`. */
export const haveTie = (db: Queryable, one: number, other: number): Promise<boolean> =>
  isThere(db, fragment`where ${tied(one, other)}`);
