import type { Map } from 'immutable';
import { orErased } from '../erased.js';
import { badRequest, notFound } from '../errors.js';
import type { AccountCommand, AccountEvent } from './account-messages.js';

type AccessTokensCommand = Extract<AccountCommand, { type: 'CreateAccessToken' | 'DeleteAccessToken' }>;
type AccessTokensEvent = Extract<AccountEvent, { type: 'AccessTokenCreated' | 'AccessTokenDeleted' }>;

/** The names of an account's access tokens, by id: a part of the Account aggregate. */
export type AccessTokens = Map<number, string>;

/** Applies one event to the tokens. */
export function evolveAccessTokens(tokens: AccessTokens, { type, data }: AccessTokensEvent): AccessTokens {
  switch (type) {
    case 'AccessTokenCreated':
      return tokens.set(data.tokenId, orErased(data.name));
    case 'AccessTokenDeleted':
      return tokens.delete(data.tokenId);
  }
}

/** Decides commands about tokens of an existing account. Refuses a name that is taken, and to delete an absent token. */
export function decideAccessTokens(
  { type, data }: AccessTokensCommand,
  tokens: AccessTokens,
): readonly AccessTokensEvent[] {
  switch (type) {
    case 'CreateAccessToken': {
      const { at: createdAt, ...token } = data;
      if (tokens.includes(token.name))
        throw badRequest('access_token.name_taken', 'access token name has been used already');
      return [{ type: 'AccessTokenCreated', data: { ...token, createdAt } }];
    }
    case 'DeleteAccessToken': {
      const { accountId, tokenId, at: deletedAt } = data;
      const name = tokens.get(tokenId);
      if (name === undefined) throw tokenAbsent();
      return [{ type: 'AccessTokenDeleted', data: { accountId, tokenId, name, deletedAt } }];
    }
  }
}

/** Returns the id of the token with this id or, if there is none, with this name. Refuses if there is neither. */
export function findToken(tokens: AccessTokens, idOrName: string): number {
  const id =
    tokens.findKey((_, id) => String(id) === idOrName) ?? tokens.findKey((name) => name === idOrName);
  if (id === undefined) throw tokenAbsent();
  return id;
}

const tokenAbsent = () => notFound('access_token.absent', 'the access token does not exist');
