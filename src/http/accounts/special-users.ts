import { GHOST_ID } from '../../domain/accounts/ghost.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';

/** Makes a user without any data but the names. */
export const blankUser = (id: number, name: string, full_name: string): AccountRow => ({
  id,
  kind: 'user',
  name,
  lower_name: accountNameKey(name),
  email: null,
  lower_emails: [],
  hide_email: true,
  full_name,
  login_name: '',
  source_id: 0,
  visibility: 'public',
  restricted: false,
  is_admin: false,
  language: '',
  location: '',
  pronouns: '',
  website: '',
  description: '',
  created_at: new Date(0),
});

/** The author of what deleted users left. */
export const ghost = blankUser(GHOST_ID, 'Ghost', 'Ghost');

/** The users without an account, by id: the ghost, and the server itself. */
export const specialUsers: ReadonlyMap<number, AccountRow> = new Map(
  [ghost, blankUser(-2, 'forgejo-actions', 'Forgejo Actions')].map((user) => [user.id, user]),
);
