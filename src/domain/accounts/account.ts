import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { badRequest, conflict, notFound } from '../errors.js';

export type Visibility = 'public' | 'limited' | 'private';

/** A fact about a person; null once the person is erased. */
type Personal = string | null;

type AccountFacts = {
  readonly kind: 'user' | 'organization';
  readonly sourceId: number;
  readonly visibility: Visibility;
  readonly restricted: boolean;
  readonly mustChangePassword: boolean;
  readonly createdAt: string;
};

export type AccountCommand =
  | Message<
      'CreateAccount',
      { accountId: number; name: string; email: string; fullName: string; loginName: string } & AccountFacts
    >
  | Message<'AbandonClaim', { accountId: number; at: string }>
  | Message<
      'CreateAccessToken',
      {
        accountId: number;
        tokenId: number;
        name: string;
        scopes: readonly string[];
        lastEight: string;
        at: string;
      }
    >
  | Message<'DeleteAccessToken', { accountId: number; tokenId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
export type AccountEvent =
  | Message<
      'AccountCreated',
      {
        accountId: number;
        name: Personal;
        email: Personal;
        fullName: Personal;
        loginName: Personal;
      } & AccountFacts
    >
  | Message<'ClaimAbandoned', { accountId: number; abandonedAt: string }>
  | Message<
      'AccessTokenCreated',
      {
        accountId: number;
        tokenId: number;
        name: string;
        scopes: readonly string[];
        lastEight: string;
        createdAt: string;
      }
    >
  | Message<'AccessTokenDeleted', { accountId: number; tokenId: number; name: string; deletedAt: string }>;

export interface AccountState {
  /** `abandoned`: its creation was given up by somebody who waited for its names; it can never exist. */
  readonly status: 'absent' | 'abandoned' | 'exists';
  /** The names of the access tokens, by id. */
  readonly tokens: Map<number, string>;
}

/** A user or an organization. */
export const Account: Decider<AccountCommand, AccountEvent, AccountState> = {
  category: 'account',
  initialState: { status: 'absent', tokens: Map() },

  evolve(state, { type, data }) {
    switch (type) {
      case 'AccountCreated':
        return { ...state, status: 'exists' };
      case 'ClaimAbandoned':
        return { ...state, status: 'abandoned' };
      case 'AccessTokenCreated':
        return { ...state, tokens: state.tokens.set(data.tokenId, data.name) };
      case 'AccessTokenDeleted':
        return { ...state, tokens: state.tokens.delete(data.tokenId) };
    }
  },

  decide({ type, data }, state) {
    switch (type) {
      case 'CreateAccount':
        if (state.status === 'exists') throw conflict('account.exists', 'the account exists');
        if (state.status === 'abandoned') throw conflict('account.abandoned', 'the creation took too long');
        return [{ type: 'AccountCreated', data }];
      case 'AbandonClaim':
        if (state.status === 'exists') throw conflict('account.exists', 'the account exists');
        if (state.status === 'abandoned') return [];
        return [{ type: 'ClaimAbandoned', data: { accountId: data.accountId, abandonedAt: data.at } }];
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
        const { accountId, tokenId, at: deletedAt } = data;
        const name = state.tokens.get(tokenId);
        if (name === undefined) throw tokenAbsent();
        return [{ type: 'AccessTokenDeleted', data: { accountId, tokenId, name, deletedAt } }];
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

const tokenAbsent = () => notFound('access_token.absent', 'the access token does not exist');

function checkExists({ status }: AccountState): void {
  if (status !== 'exists') throw notFound('account.absent', 'the account does not exist');
}
