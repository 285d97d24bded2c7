import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { AdministratorsEvent } from '../../src/domain/accounts/administrators.js';
import { projection } from '../projection.js';

/** `accounts`: users and organizations, as they were at every position; `access_tokens`: those that exist. */
export const accounts = projection<AccountEvent | AdministratorsEvent>()({
  name: 'accounts',
  version: 1,
  tables: { accounts: { key: ['id'], history: true }, access_tokens: { key: ['id'] } },
  on: {
    AccountCreated: ({ data }, { accounts: rows }) =>
      rows.put({
        id: data.accountId,
        kind: data.kind,
        name: data.name,
        lower_name: lower(data.name),
        email: data.email,
        lower_email: lower(data.email),
        full_name: data.fullName,
        login_name: data.loginName,
        source_id: data.sourceId,
        visibility: data.visibility,
        restricted: data.restricted,
        is_admin: false,
        language: '',
        location: '',
        pronouns: '',
        website: '',
        description: '',
        created_at: data.createdAt,
      }),
    AdministratorAppointed: ({ data }, { accounts: rows }) =>
      rows.patch({ id: data.accountId }, { is_admin: true }),
    AccessTokenCreated: ({ data }, { access_tokens: rows }) =>
      rows.put({
        id: data.tokenId,
        account_id: data.accountId,
        name: data.name,
        scopes: data.scopes,
        last_eight: data.lastEight,
        created_at: data.createdAt,
      }),
    AccessTokenDeleted: ({ data }, { access_tokens: rows }) => rows.remove({ id: data.tokenId }),
  },
});

/** Personal fields are null once the person's key is gone. */
const lower = (text: string | null) => text?.toLowerCase() ?? null;
