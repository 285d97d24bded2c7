import { Map } from 'immutable';
import type { Decider } from '../decider.js';
import { difference } from '../difference.js';
import { orErased } from '../erased.js';
import { badRequest, conflict, invalid, notFound } from '../errors.js';
import type { AccountCommand, AccountEvent } from './account-messages.js';
import { hasEmail, including } from './email.js';
import {
  defaultSettings,
  emptyProfile,
  type AccountProfile,
  type AccountSettings,
  type Personal,
} from './profile.js';

export type { AccountCommand, AccountEvent } from './account-messages.js';
export type { Personal, Visibility } from './profile.js';

/** What rules know of an account. An erased person's name is null and its profile empty. */
export interface AccountState {
  /** `abandoned`: its creation was given up by somebody who waited for its names; it can never exist. */
  readonly status: 'absent' | 'abandoned' | 'exists' | 'deleted';
  /** The person's key is shredded: nothing personal is known any more. */
  readonly erased: boolean;
  readonly kind: 'user' | 'organization';
  readonly name: Personal;
  /** Since when its deletion is under way, RFC 3339: nothing may come to belong to it. */
  readonly closingAt: string | undefined;
  /**
   * How often something that it had claimed was lost or given up. What was decided on an older number rests on a claim
   * that may be somebody else's by now.
   */
  readonly claimsLost: number;
  readonly settings: AccountSettings;
  readonly profile: AccountProfile;
  /** The latest edits that the vault was told of, the last one last. Those before are settled by these at the latest. */
  readonly announcedEdits: readonly string[];
  /** The names of the access tokens, by id. */
  readonly tokens: Map<number, string>;
  /** The public keys, by id. */
  readonly keys: Map<number, { readonly title: Personal; readonly fingerprint: string }>;
}

/** No account has so many edits at work at once. */
const ANNOUNCED_EDITS = 100;
/** Every change of them is recorded with all of them, as they were and as they are. */
const MAX_EMAILS = 100;

/** A user or an organization. */
export const Account: Decider<AccountCommand, AccountEvent, AccountState> = {
  category: 'account',
  initialState: {
    status: 'absent',
    erased: false,
    kind: 'user',
    name: null,
    closingAt: undefined,
    claimsLost: 0,
    settings: defaultSettings,
    profile: emptyProfile,
    announcedEdits: [],
    tokens: Map(),
    keys: Map(),
  },

  evolve(state, { type, data }) {
    const { claimsLost } = state;
    switch (type) {
      case 'AccountCreated': {
        const { kind, name, sourceId, visibility, restricted, mustChangePassword } = data;
        const { repoAdminChangeTeamAccess = false } = data;
        return {
          ...state,
          status: 'exists',
          kind,
          name,
          settings: {
            ...defaultSettings,
            sourceId,
            visibility,
            restricted,
            mustChangePassword,
            repoAdminChangeTeamAccess,
          },
          profile: profileOf(data),
        };
      }
      case 'AccountEdited': {
        const gaveUp = (data.profileBefore?.emails ?? []).some(
          (email) => !hasEmail(data.profile?.emails ?? [], email),
        );
        return {
          ...state,
          settings: { ...state.settings, ...data.settings },
          profile: { ...state.profile, ...data.profile },
          claimsLost: gaveUp ? claimsLost + 1 : claimsLost,
          ...(data.editId !== undefined && {
            announcedEdits: [...state.announcedEdits, data.editId].slice(-ANNOUNCED_EDITS),
          }),
        };
      }
      case 'AccountRenamed':
        return { ...state, name: data.name, claimsLost: claimsLost + 1 };
      case 'AccountClosing':
        return { ...state, closingAt: data.closingAt };
      case 'AccountReopened':
        return { ...state, closingAt: undefined };
      case 'AccountDeleted':
        return { ...state, status: 'deleted', tokens: Map(), keys: Map() };
      case 'PersonErased':
        return { ...state, erased: true, name: null, profile: emptyProfile };
      case 'ClaimAbandoned':
        return { ...state, status: 'abandoned' };
      case 'ClaimLost':
        return { ...state, claimsLost: claimsLost + 1 };
      case 'AccessTokenCreated':
        return { ...state, tokens: state.tokens.set(data.tokenId, orErased(data.name)) };
      case 'AccessTokenDeleted':
        return { ...state, tokens: state.tokens.delete(data.tokenId) };
      case 'PublicKeyAdded': {
        const { title, fingerprint } = data;
        return { ...state, keys: state.keys.set(data.keyId, { title, fingerprint }) };
      }
      case 'PublicKeyRemoved':
        return { ...state, keys: state.keys.delete(data.keyId), claimsLost: claimsLost + 1 };
    }
  },

  decide({ type, data }, state) {
    const { accountId } = data;
    switch (type) {
      case 'CreateAccount':
        if (state.status === 'absent') return [{ type: 'AccountCreated', data }];
        if (state.status === 'abandoned') throw conflict('account.abandoned', 'the creation took too long');
        throw conflict('account.exists', 'the account exists');
      case 'AbandonClaim':
        if (data.holds || state.status === 'abandoned' || state.status === 'deleted') return [];
        return state.status === 'absent'
          ? [{ type: 'ClaimAbandoned', data: { accountId, abandonedAt: data.at } }]
          : [{ type: 'ClaimLost', data: { accountId, lostAt: data.at } }];
      case 'EditAccount': {
        checkExists(state);
        const { settings, profile, newPassword, editId, at: editedAt, claimsLost } = data;
        if (claimsLost !== undefined) checkClaims(state, claimsLost);
        const { email } = profile;
        const joins = email !== undefined && state.kind === 'user';
        const emails = joins ? { emails: withEmails(state, [email]) } : {};
        return edited(state, {
          accountId,
          settings,
          profile: { ...profile, ...emails },
          newPassword,
          ...(editId !== undefined && { editId }),
          editedAt,
        });
      }
      case 'AddEmails': {
        checkExists(state);
        checkClaims(state, data.claimsLost);
        if (data.emails.some((email) => hasEmail(state.profile.emails, email)))
          throw invalid('account.email_taken', 'Email', 'the e-mail address is in use');
        const emails = withEmails(state, data.emails);
        return edited(state, { accountId, profile: { emails }, editedAt: data.at });
      }
      case 'RemoveEmails': {
        checkExists(state);
        const { emails: before, email: primary } = state.profile;
        if (!data.emails.every((email) => hasEmail(before, email)))
          throw notFound('account.email_absent', 'the account has no such e-mail address');
        if (hasEmail(data.emails, primary))
          throw invalid('account.email_primary', 'Emails', 'the primary e-mail address stays');
        const emails = before.filter((email) => !hasEmail(data.emails, email));
        return edited(state, { accountId, profile: { emails }, editedAt: data.at });
      }
      case 'RenameAccount': {
        checkExists(state);
        checkClaims(state, data.claimsLost);
        const { name, at: renamedAt } = data;
        if (name === state.name) return [];
        return [{ type: 'AccountRenamed', data: { accountId, before: state.name, name, renamedAt } }];
      }
      case 'CloseAccount':
        checkExists(state);
        if (state.closingAt !== undefined) return [];
        return [{ type: 'AccountClosing', data: { accountId, closingAt: data.at } }];
      case 'ReopenAccount':
        checkExists(state);
        if (state.closingAt === undefined) return [];
        return [{ type: 'AccountReopened', data: { accountId, reopenedAt: data.at } }];
      case 'DeleteAccount':
        checkExists(state);
        if (state.closingAt === undefined) throw conflict('account.reopened', 'the deletion was given up');
        return [
          {
            type: 'AccountDeleted',
            data: { accountId, name: state.name, ...(data.erase && { erase: true }), deletedAt: data.at },
          },
        ];
      case 'ErasePerson':
        if (state.erased) return [];
        if (state.status !== 'deleted') throw conflict('account.not_deleted', 'the account is not deleted');
        return [{ type: 'PersonErased', data: { accountId, erasedAt: data.at } }];
      case 'CreateAccessToken': {
        checkExists(state);
        const { at: createdAt, ...token } = data;
        if (state.tokens.includes(token.name)) {
          throw badRequest('access_token.name_taken', 'an access token of this name exists');
        }
        return [{ type: 'AccessTokenCreated', data: { ...token, createdAt } }];
      }
      case 'DeleteAccessToken': {
        checkExists(state);
        const { tokenId, at: deletedAt } = data;
        const name = state.tokens.get(tokenId);
        if (name === undefined) throw tokenAbsent();
        return [{ type: 'AccessTokenDeleted', data: { accountId, tokenId, name, deletedAt } }];
      }
      case 'AddPublicKey': {
        checkExists(state);
        const { at: addedAt, claimsLost, ...key } = data;
        checkClaims(state, claimsLost);
        if (state.keys.some(({ fingerprint }) => fingerprint === key.fingerprint))
          throw invalid('public_key.taken', 'Key', 'the key is registered already');
        if (state.keys.some(({ title }) => title === key.title))
          throw invalid('public_key.title_taken', 'Title', 'a key of this title exists');
        return [{ type: 'PublicKeyAdded', data: { ...key, addedAt } }];
      }
      case 'RemovePublicKey': {
        checkExists(state);
        const { keyId, at: removedAt } = data;
        const key = state.keys.get(keyId);
        if (!key) throw notFound('public_key.absent', 'the key does not exist');
        return [{ type: 'PublicKeyRemoved', data: { accountId, keyId, ...key, removedAt } }];
      }
    }
  },
};

/** The id of the access token that has this id or, where none has, this name. Refuses where there is no such token. */
export function findToken({ tokens }: AccountState, idOrName: string): number {
  const id =
    tokens.findKey((_, id) => String(id) === idOrName) ?? tokens.findKey((name) => name === idOrName);
  if (id === undefined) throw tokenAbsent();
  return id;
}

interface Edit {
  readonly accountId: number;
  readonly settings?: Partial<AccountSettings>;
  readonly profile: Partial<AccountProfile>;
  readonly newPassword?: boolean;
  readonly editId?: string;
  readonly editedAt: string;
}

/** Only what differs is recorded, so asking twice records nothing; a password differs always. */
function edited(state: AccountState, edit: Edit): AccountEvent[] {
  const { accountId, newPassword = false, editId, editedAt } = edit;
  const settings = difference(state.settings, edit.settings ?? {});
  const profile = difference(state.profile, edit.profile);
  if (!settings && !profile && !newPassword) return [];
  const data = {
    accountId,
    settingsBefore: settings?.before ?? {},
    settings: settings?.after ?? {},
    profileBefore: profile?.before ?? {},
    profile: profile?.after ?? {},
    newPassword,
    ...(editId !== undefined && { editId }),
    editedAt,
  };
  return [{ type: 'AccountEdited', data }];
}

/** Refuses too many; those that an account had already stay. */
function withEmails({ profile: { emails } }: AccountState, more: readonly string[]): readonly string[] {
  const all = more.reduce(including, emails);
  if (all.length > Math.max(MAX_EMAILS, emails.length))
    throw invalid('account.emails_many', 'Emails', `an account has ${MAX_EMAILS} at most`);
  return all;
}

const profileOf = (data: Extract<AccountEvent, { type: 'AccountCreated' }>['data']): AccountProfile => ({
  ...emptyProfile,
  fullName: data.fullName ?? '',
  loginName: data.loginName ?? '',
  website: data.website ?? '',
  location: data.location ?? '',
  description: data.description ?? '',
  email: data.email ?? '',
  // Those of organizations are no identities: they neither sign in nor are claimed.
  emails: data.kind === 'user' && data.email !== null ? [data.email] : [],
});

const tokenAbsent = () => notFound('access_token.absent', 'the access token does not exist');

function checkExists({ status }: AccountState): void {
  if (status !== 'exists') throw notFound('account.absent', 'the account does not exist');
}

/** The code with which a command is refused that must be begun again, claims and all. */
export const CLAIM_LOST = 'account.claim_lost';

function checkClaims(state: AccountState, claimsLost: number): void {
  if (state.claimsLost !== claimsLost) throw conflict(CLAIM_LOST, 'the change took too long');
}
