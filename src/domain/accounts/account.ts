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
export type { Visibility } from './profile.js';

/** The state that decisions on an account rest on. After erasure the name is null and the profile empty. */
export interface AccountState {
  /** `abandoned`: another claimant that waited for its names gave up the creation; the account can never exist. */
  readonly status: 'absent' | 'abandoned' | 'exists' | 'deleted';
  /** Whether the person's key was destroyed, so that nothing personal is known any more. */
  readonly erased: boolean;
  readonly kind: 'user' | 'organization';
  readonly name: Personal;
  /** The RFC 3339 time since which its deletion is under way; nothing may come to belong to it then. */
  readonly closingAt: string | undefined;
  /**
   * How often the account lost or gave up something that it had claimed. A decision made at an older number rests on a
   * claim that another account may hold by now.
   */
  readonly claimsLost: number;
  readonly settings: AccountSettings;
  readonly profile: AccountProfile;
  /** The ids of the latest edits that the vault was told of, newest last. Earlier edits are settled by then. */
  readonly announcedEdits: readonly string[];
  readonly tokens: AccessTokens;
  readonly keys: PublicKeys;
}

/** How many such ids are remembered; an account never has as many edits under way at once. */
const ANNOUNCED_EDITS = 100;

/** A user or an organization. Edits, access tokens and public keys are decided in files of their own. */
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
        if (state.status === 'abandoned') throw conflict(ABANDONED, 'the creation took too long');
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

/** Decides the commands that require an existing account. */
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
      if (state.closingAt === undefined) throw conflict(REOPENED, 'the deletion was given up');
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
  // An organization's address is no identity: nobody signs in with it, and it is not claimed.
  emails: data.kind === 'user' && data.email !== null ? [data.email] : [],
});

/** The code of the refusal of a creation that must be retried under another id. */
export const ABANDONED = 'account.abandoned';
/** The code of the refusal of a deletion that must be retried from the start, because another one reopened the account. */
export const REOPENED = 'account.reopened';
/** The code of the refusal of a command that must be retried from the start, including its claims. */
export const CLAIM_LOST = 'account.claim_lost';

/** Refuses the command if the account lost a claim since `claimsLost` was read, before the command claimed something. */
function checkClaims(state: AccountState, claimsLost: number | undefined): void {
  if (claimsLost !== undefined && state.claimsLost !== claimsLost)
    throw conflict(CLAIM_LOST, 'the change took too long');
}
