import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { AdministratorsEvent } from '../../src/domain/accounts/administrators.js';
import { emailKey } from '../../src/domain/accounts/email.js';
import { accountNameKey } from '../../src/domain/accounts/names.js';
import {
  defaultSettings,
  type AccountProfile,
  type AccountSettings,
} from '../../src/domain/accounts/profile.js';
import { orErased } from '../../src/domain/erased.js';
import { defined } from '../../src/values/defined.js';
import { projection, type Columns } from '../projection.js';
import { storableTime } from '../storable-time.js';

/**
 * `accounts`: users and organizations, with their history at every position; `access_tokens` and `public_keys`: only those
 * that exist now.
 */
export const accounts = projection<AccountEvent | AdministratorsEvent>()({
  name: 'accounts',
  version: 4,
  tables: {
    accounts: { key: ['id'], history: true },
    access_tokens: { key: ['account_id', 'id'] },
    public_keys: { key: ['account_id', 'id'] },
  },
  erases: [
    {
      table: 'accounts',
      set: `name = null, lower_name = null, email = null, emails = '{}', lower_emails = '{}', full_name = null,
        lower_full_name = null, login_name = null, location = '', pronouns = '', website = '', description = ''`,
      where: 'id = $1',
    },
  ],
  on: {
    AccountCreated: ({ data, recordedAt }, { accounts: rows }) =>
      rows.put({
        id: data.accountId,
        kind: data.kind,
        name: data.name,
        lower_name: lower(data.name),
        email: data.email,
        ...emailColumns(data.kind === 'user' && data.email !== null ? [data.email] : []),
        full_name: data.fullName,
        lower_full_name: lower(data.fullName),
        login_name: data.loginName,
        is_admin: false,
        location: data.location ?? '',
        pronouns: '',
        website: data.website ?? '',
        description: data.description ?? '',
        created_at: storableTime(data.createdAt) ?? recordedAt,
        ...settingColumns(defaultSettings),
        source_id: data.sourceId,
        visibility: data.visibility,
        restricted: data.restricted,
        repo_admin_change_team_access: data.repoAdminChangeTeamAccess ?? false,
      }),
    AccountEdited: ({ data }, { accounts: rows }) =>
      rows.patch(
        { id: data.accountId },
        { ...settingColumns(data.settings), ...profileColumns(data.profile ?? {}) },
      ),
    AccountRenamed: ({ data }, { accounts: rows }) =>
      rows.patch({ id: data.accountId }, { name: data.name, lower_name: lower(data.name) }),
    AccountDeleted: ({ data }, tables) => {
      const owned = { account_id: data.accountId };
      tables.accounts.remove({ id: data.accountId });
      tables.access_tokens.removeWhere(owned);
      tables.public_keys.removeWhere(owned);
    },
    AdministratorAppointed: ({ data }, { accounts: rows }) =>
      rows.patch({ id: data.accountId }, { is_admin: true }),
    AdministratorDismissed: ({ data }, { accounts: rows }) =>
      rows.patch({ id: data.accountId }, { is_admin: false }),
    AccessTokenCreated: ({ data }, { access_tokens: rows }) =>
      rows.put({
        id: data.tokenId,
        account_id: data.accountId,
        name: orErased(data.name),
        scopes: data.scopes,
        last_eight: data.lastEight,
        created_at: data.createdAt,
      }),
    AccessTokenDeleted: ({ data }, { access_tokens: rows }) =>
      rows.remove({ account_id: data.accountId, id: data.tokenId }),
    PublicKeyAdded: ({ data }, { public_keys: rows }) =>
      rows.put({
        id: data.keyId,
        account_id: data.accountId,
        title: data.title,
        key: data.key,
        fingerprint: data.fingerprint,
        algorithm: data.algorithm,
        created_at: data.addedAt,
      }),
    PublicKeyRemoved: ({ data }, { public_keys: rows }) =>
      rows.remove({ account_id: data.accountId, id: data.keyId }),
  },
});

/** Returns the columns of the given settings. Settings without a column are kept by the vault or the aggregate only. */
const settingColumns = (settings: Partial<AccountSettings>): Columns =>
  defined({
    source_id: settings.sourceId,
    visibility: settings.visibility,
    restricted: settings.restricted,
    language: settings.language,
    theme: settings.theme,
    diff_view_style: settings.diffViewStyle,
    enable_repo_unit_hints: settings.enableRepoUnitHints,
    hide_email: settings.hideEmail,
    hide_activity: settings.hideActivity,
    repo_admin_change_team_access: settings.repoAdminChangeTeamAccess,
  });

const profileColumns = (profile: Partial<AccountProfile>): Columns => ({
  ...defined({
    email: profile.email,
    full_name: profile.fullName,
    lower_full_name: profile.fullName?.toLowerCase(),
    login_name: profile.loginName,
    location: profile.location,
    pronouns: profile.pronouns,
    website: profile.website,
    description: profile.description,
  }),
  ...(profile.emails && emailColumns(profile.emails)),
});

const emailColumns = (emails: readonly string[]): Columns => ({
  emails,
  lower_emails: emails.map(emailKey),
});

/** Returns the key of a name, or null for null: personal fields read as null once the person's key is gone. */
const lower = (name: string | null) => (name === null ? null : accountNameKey(name));
