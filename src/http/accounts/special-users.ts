import type { AccountRow } from '../../queries/accounts/accounts.js';

/** Those who stand for nobody: the author of what deleted users left, and the server itself. */
export const specialUsers: ReadonlyMap<number, AccountRow> = new Map(
  [
    { id: -1, name: 'Ghost', full_name: 'Ghost' },
    { id: -2, name: 'forgejo-actions', full_name: 'Forgejo Actions' },
  ].map((user) => [
    user.id,
    {
      ...user,
      kind: 'user',
      lower_name: user.name.toLowerCase(),
      email: null,
      lower_emails: [],
      hide_email: true,
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
    },
  ]),
);
