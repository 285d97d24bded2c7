import { Map } from 'immutable';
import type { DataOf, Decider } from '../decider.js';
import { conflict, notFound } from '../errors.js';
import { decideAccessTokens, evolveAccessTokens, type AccessTokens } from './access-tokens.js';
import { addEmails, editAccount, gaveUpEmail, removeEmails } from './account-edits.js';
import type { AccountCommand, AccountEvent } from './account-messages.js';
import {
  defaultSettings,
  emptyProfile,
  type AccountProfile,
  type AccountSettings,
  type Personal,
} from './profile.js';
import { decidePublicKeys, evolvePublicKeys, type PublicKeys } from './public-keys.js';

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
  readonly tokens: AccessTokens;
  readonly keys: PublicKeys;
}

/** No account has so many edits at work at once. */
const ANNOUNCED_EDITS = 100;

/** A user or an organization. Edits, access tokens and public keys decide in files of their own. */
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

  evolve(state, event) {
    const { claimsLost } = state;
    switch (event.type) {
      case 'AccountCreated': {
        const { kind, name } = event.data;
        const [settings, profile] = [settingsOf(event.data), profileOf(event.data)];
        return { ...state, status: 'exists', kind, name, settings, profile };
      }
      case 'AccountEdited': {
        const { settings, profile, editId } = event.data;
        return {
          ...state,
          settings: { ...state.settings, ...settings },
          profile: { ...state.profile, ...profile },
          claimsLost: gaveUpEmail(event.data) ? claimsLost + 1 : claimsLost,
          ...(editId !== undefined && {
            announcedEdits: [...state.announcedEdits, editId].slice(-ANNOUNCED_EDITS),
          }),
        };
      }
      case 'AccountRenamed':
        return { ...state, name: event.data.name, claimsLost: claimsLost + 1 };
      case 'AccountClosing':
        return { ...state, closingAt: event.data.closingAt };
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
      case 'AccessTokenDeleted':
        return { ...state, tokens: evolveAccessTokens(state.tokens, event) };
      case 'PublicKeyAdded':
        return { ...state, keys: evolvePublicKeys(state.keys, event) };
      case 'PublicKeyRemoved':
        return { ...state, keys: evolvePublicKeys(state.keys, event), claimsLost: claimsLost + 1 };
    }
  },

  decide(command, state) {
    const { type, data } = command;
    switch (type) {
      case 'CreateAccount':
        if (state.status === 'absent') return [{ type: 'AccountCreated', data }];
        if (state.status === 'abandoned') throw conflict('account.abandoned', 'the creation took too long');
        throw conflict('account.exists', 'the account exists');
      case 'AbandonClaim': {
        const { accountId, at } = data;
        if (data.holds || state.status === 'abandoned' || state.status === 'deleted') return [];
        return state.status === 'absent'
          ? [{ type: 'ClaimAbandoned', data: { accountId, abandonedAt: at } }]
          : [{ type: 'ClaimLost', data: { accountId, lostAt: at } }];
      }
      case 'ErasePerson':
        if (state.erased) return [];
        if (state.status !== 'deleted') throw conflict('account.not_deleted', 'the account is not deleted');
        return [{ type: 'PersonErased', data: { accountId: data.accountId, erasedAt: data.at } }];
      default:
        if (state.status !== 'exists') throw notFound('account.absent', 'the account does not exist');
        return decideExisting(command, state);
    }
  },
};

/** What is decided on an account that exists. */
function decideExisting(
  command: Exclude<AccountCommand, { type: 'CreateAccount' | 'AbandonClaim' | 'ErasePerson' }>,
  state: AccountState,
): readonly AccountEvent[] {
  const { accountId, at } = command.data;
  switch (command.type) {
    case 'EditAccount':
      checkClaims(state, command.data.claimsLost);
      return editAccount(command.data, state);
    case 'AddEmails':
      checkClaims(state, command.data.claimsLost);
      return addEmails(command.data, state);
    case 'RemoveEmails':
      return removeEmails(command.data, state);
    case 'RenameAccount': {
      const { name, claimsLost } = command.data;
      checkClaims(state, claimsLost);
      if (name === state.name) return [];
      return [{ type: 'AccountRenamed', data: { accountId, before: state.name, name, renamedAt: at } }];
    }
    case 'CloseAccount':
      if (state.closingAt !== undefined) return [];
      return [{ type: 'AccountClosing', data: { accountId, closingAt: at } }];
    case 'ReopenAccount':
      if (state.closingAt === undefined) return [];
      return [{ type: 'AccountReopened', data: { accountId, reopenedAt: at } }];
    case 'DeleteAccount': {
      if (state.closingAt === undefined) throw conflict('account.reopened', 'the deletion was given up');
      const erase = command.data.erase ? { erase: true as const } : {};
      return [{ type: 'AccountDeleted', data: { accountId, name: state.name, ...erase, deletedAt: at } }];
    }
    case 'CreateAccessToken':
    case 'DeleteAccessToken':
      return decideAccessTokens(command, state.tokens);
    case 'AddPublicKey':
      checkClaims(state, command.data.claimsLost);
      return decidePublicKeys(command, state.keys);
    case 'RemovePublicKey':
      return decidePublicKeys(command, state.keys);
  }
}

type Created = DataOf<AccountEvent, 'AccountCreated'>;

const settingsOf = ({
  sourceId,
  visibility,
  restricted,
  mustChangePassword,
  repoAdminChangeTeamAccess = false,
}: Created): AccountSettings => ({
  ...defaultSettings,
  sourceId,
  visibility,
  restricted,
  mustChangePassword,
  repoAdminChangeTeamAccess,
});

const profileOf = (data: Created): AccountProfile => ({
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

/** The code with which a command is refused that must be begun again, claims and all. */
export const CLAIM_LOST = 'account.claim_lost';

/** Where something was claimed for the command, `claimsLost` is what it was before that. */
function checkClaims(state: AccountState, claimsLost: number | undefined): void {
  if (claimsLost !== undefined && state.claimsLost !== claimsLost)
    throw conflict(CLAIM_LOST, 'the change took too long');
}
