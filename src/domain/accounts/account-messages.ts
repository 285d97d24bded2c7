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
  /** `SHA256:` followed by base64 without padding. */
  readonly fingerprint: string;
  /** The first word of the key, such as `ssh-ed25519`. */
  readonly algorithm: string;
};

/** The commands of an account. They are refused if `claimsLost` has changed since before they claimed something. */
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
        /** A new primary address is added to the user's addresses. */
        profile: Partial<Omit<AccountProfile, 'emails'>>;
        /** Whether the vault was told of a new password. */
        newPassword: boolean;
        /** The id under which the vault knows this edit, if it was told of it. */
        editId?: string;
        /** `claimsLost` from before something was claimed; absent if nothing was. */
        claimsLost?: number;
        at: string;
      }
    >
  | Message<'AddEmails', { accountId: number; emails: readonly string[]; claimsLost: number; at: string }>
  | Message<'RemoveEmails', { accountId: number; emails: readonly string[]; at: string }>
  | Message<'RenameAccount', { accountId: number; name: string; claimsLost: number; at: string }>
  | Message<'CloseAccount', { accountId: number; at: string }>
  | Message<'ReopenAccount', { accountId: number; at: string }>
  /** `erase`: the personal data is to be erased as well. */
  | Message<'DeleteAccount', { accountId: number; erase?: boolean; at: string }>
  | Message<'ErasePerson', { accountId: number; at: string }>
  /** `holds`: the account holds what it claimed after all, so that nothing is abandoned. */
  | Message<'AbandonClaim', { accountId: number; holds: boolean; at: string }>
  | Message<'CreateAccessToken', { accountId: number; at: string } & TokenFacts>
  | Message<'DeleteAccessToken', { accountId: number; tokenId: number; at: string }>
  | Message<
      'AddPublicKey',
      { accountId: number; title: string; key: string; claimsLost: number; at: string } & KeyFacts
    >
  | Message<'RemovePublicKey', { accountId: number; keyId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of one account. `accountId` also names the key that encrypts the personal fields. */
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
        /** Only what changed, before and after. */
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
  /** `erase`: the person's key is destroyed next, and `PersonErased` follows. */
  | Message<'AccountDeleted', { accountId: number; name: Personal; erase?: true; deletedAt: string }>
  /** The person's key was destroyed: personal fields read as null, and read models blank their copies. */
  | Message<'PersonErased', { accountId: number; erasedAt: string }>
  /** The account does not exist, and can no longer be created. */
  | Message<'ClaimAbandoned', { accountId: number; abandonedAt: string }>
  /** Something that the account had claimed, but not recorded yet, may belong to another account now. */
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
        /** One line: type, base64 and comment. */
        key: Personal;
        addedAt: string;
      } & KeyFacts
    >
  | Message<
      'PublicKeyRemoved',
      { accountId: number; keyId: number; title: Personal; fingerprint: string; removedAt: string }
    >;
