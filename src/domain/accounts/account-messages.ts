import type { Message } from '../decider.js';
import type { AccountProfile, AccountSettings, Personal, Visibility } from './profile.js';

type AccountFacts = {
  readonly kind: 'user' | 'organization';
  readonly sourceId: number;
  readonly visibility: Visibility;
  readonly restricted: boolean;
  readonly mustChangePassword: boolean;
  readonly repoAdminChangeTeamAccess?: boolean;
  readonly createdAt: string;
};

type TokenFacts = {
  readonly tokenId: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly lastEight: string;
};

type KeyFacts = {
  readonly keyId: number;
  /** `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
  /** As the key's first word names it, `ssh-ed25519` for one. */
  readonly algorithm: string;
};

/** What one account is told. `claimsLost`, noted before something was claimed, refuses the command once it differs. */
export type AccountCommand =
  | Message<
      'CreateAccount',
      {
        accountId: number;
        name: string;
        email: string;
        fullName: string;
        loginName: string;
        website?: string;
        location?: string;
        description?: string;
      } & AccountFacts
    >
  | Message<
      'EditAccount',
      {
        accountId: number;
        settings: Partial<AccountSettings>;
        /** A new primary address joins the others. */
        profile: Partial<Omit<AccountProfile, 'emails'>>;
        /** The vault was told of a new password. */
        newPassword: boolean;
        /** Where the vault was told: by what it knows this edit. */
        editId?: string;
        /** Where something was claimed: `claimsLost` as it was before that. */
        claimsLost?: number;
        at: string;
      }
    >
  | Message<'AddEmails', { accountId: number; emails: readonly string[]; claimsLost: number; at: string }>
  | Message<'RemoveEmails', { accountId: number; emails: readonly string[]; at: string }>
  | Message<'RenameAccount', { accountId: number; name: string; claimsLost: number; at: string }>
  | Message<'CloseAccount', { accountId: number; at: string }>
  | Message<'ReopenAccount', { accountId: number; at: string }>
  /** `erase`: the person is to be forgotten as well. */
  | Message<'DeleteAccount', { accountId: number; erase?: boolean; at: string }>
  | Message<'ErasePerson', { accountId: number; at: string }>
  /** `holds`: the account came to what was claimed after all, and nothing is abandoned. */
  | Message<'AbandonClaim', { accountId: number; holds: boolean; at: string }>
  | Message<'CreateAccessToken', { accountId: number; at: string } & TokenFacts>
  | Message<'DeleteAccessToken', { accountId: number; tokenId: number; at: string }>
  | Message<
      'AddPublicKey',
      { accountId: number; title: string; key: string; claimsLost: number; at: string } & KeyFacts
    >
  | Message<'RemovePublicKey', { accountId: number; keyId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** What happened to one account, `accountId` also being whose key encrypts what is personal. */
export type AccountEvent =
  | Message<
      'AccountCreated',
      {
        accountId: number;
        name: Personal;
        email: Personal;
        fullName: Personal;
        loginName: Personal;
        website?: Personal;
        location?: Personal;
        description?: Personal;
      } & AccountFacts
    >
  | Message<
      'AccountEdited',
      {
        accountId: number;
        /** What changed, as it was and as it is. */
        settingsBefore: Partial<AccountSettings>;
        settings: Partial<AccountSettings>;
        profileBefore: Partial<AccountProfile> | null;
        profile: Partial<AccountProfile> | null;
        newPassword: boolean;
        editId?: string;
        editedAt: string;
      }
    >
  | Message<'AccountRenamed', { accountId: number; before: Personal; name: Personal; renamedAt: string }>
  | Message<'AccountClosing', { accountId: number; closingAt: string }>
  | Message<'AccountReopened', { accountId: number; reopenedAt: string }>
  /** `erase`: the person's key is shredded next, and `PersonErased` follows. */
  | Message<'AccountDeleted', { accountId: number; name: Personal; erase?: true; deletedAt: string }>
  /** The key of the person is gone: what it encrypted reads as erased, and read models blank what they hold of it. */
  | Message<'PersonErased', { accountId: number; erasedAt: string }>
  /** The account was never created, and never will be. */
  | Message<'ClaimAbandoned', { accountId: number; abandonedAt: string }>
  /** The account exists; something that it claimed and did not come to may be somebody else's. */
  | Message<'ClaimLost', { accountId: number; lostAt: string }>
  | Message<
      'AccessTokenCreated',
      { accountId: number; createdAt: string } & Omit<TokenFacts, 'name'> & { name: Personal }
    >
  | Message<'AccessTokenDeleted', { accountId: number; tokenId: number; name: Personal; deletedAt: string }>
  | Message<
      'PublicKeyAdded',
      {
        accountId: number;
        title: Personal;
        /** One line: type, base64, comment. */
        key: Personal;
        addedAt: string;
      } & KeyFacts
    >
  | Message<
      'PublicKeyRemoved',
      { accountId: number; keyId: number; title: Personal; fingerprint: string; removedAt: string }
    >;
