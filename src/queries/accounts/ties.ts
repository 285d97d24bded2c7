import type { Queryable } from '../../database/database.js';
import { fragment, type Fragment } from '../../database/sql.js';
import { isThere } from '../count.js';

/** Whether two accounts share an organization. A fragment stands for an account's id. */
export const shareOrganization = (one: number | Fragment, other: number | null): Fragment => fragment`exists (
  select from organization_members o join organization_members v using (organization_id)
  where o.account_id = ${one} and v.account_id = ${other})`;

/** Whether two accounts share an organization, or one of them is an organization that the other is a member of. */
export const tied = (one: number | Fragment, other: number | null): Fragment => fragment`(
  exists (select from organization_members where organization_id = ${one} and account_id = ${other})
  or ${shareOrganization(one, other)})`;

/** Who looks at a list of users, and whom that one knows of. */
export interface Knower {
  /** Null for nobody. */
  readonly viewerId: number | null;
  /** The visibilities of users that the viewer knows of without sharing an organization with them. */
  readonly sees: readonly string[];
}

/** Whoever sees all users. */
export const everybody: Knower = { viewerId: null, sees: ['public', 'limited', 'private'] };

/** Whether the viewer may know of the user `a`. */
export const knownTo = ({ viewerId, sees }: Knower): Fragment => fragment`(
  a.visibility = any(${sees}::text[]) or a.id = ${viewerId} or ${shareOrganization(fragment`a.id`, viewerId)})`;

/** As `tied`, of two accounts alone. */
export const haveTie = (db: Queryable, one: number, other: number): Promise<boolean> =>
  isThere(db, fragment`where ${tied(one, other)}`);
