import { z } from 'zod';
import { accountNameKey } from '../../domain/accounts/names.js';
import { createAccessToken, deleteAccessToken } from '../../commands/accounts/access-tokens.js';
import { listAccessTokens } from '../../queries/accounts/access-tokens.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import { selfOrAdministratorByPassword } from '../access.js';
import type { Actions } from '../actions.js';
import type { Caller } from '../caller.js';
import { accountBehind, AccountMoved } from '../find.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { timeText } from '../answers/time-text.js';
import { accountAbsent } from './absent.js';
import { presentAccessToken } from './presenter.js';
import { AccessToken, CreateAccessTokenBody } from './schema.js';
import { refuseOrganization } from './refuse-organization.js';

/**
 * Finds the account that the path names. Throws 404, or `AccountMoved` for a former name, for site administrators by
 * password; for others, returns undefined for every account but their own, and `AccountMoved` tells only of that.
 */
async function accountAt({
  find,
  db,
  params: { username },
  caller,
}: Pick<Actions, 'find' | 'db'> & {
  readonly params: { readonly username: string };
  readonly caller: Caller;
}): Promise<AccountRow | undefined> {
  if (caller?.isAdmin && caller.byPassword) return find.account(username);
  // The same query for every name, so that its time does not tell which ones exist.
  const account = await accountBehind(db, username);
  if (!caller || account?.id !== caller.accountId) return undefined;
  if (account.lower_name !== accountNameKey(username))
    throw new AccountMoved(username, caller.name, account.visibility);
  return account;
}

/** Returns the account that was found. Throws 404 if there is none. */
function existing(account: AccountRow | undefined): AccountRow {
  if (!account) throw accountAbsent();
  return account;
}

export const listTokens = route({
  id: 'userListTokens',
  method: 'GET',
  path: '/users/{username}/tokens',
  access: selfOrAdministratorByPassword,
  scope: 'user',
  parent: accountAt,
  query: PageQuery,
  answers: { 200: z.array(AccessToken), 401: problem, 403: problem, 404: problem },
  async handle({ parent, query, db, page }) {
    const { id } = existing(parent);
    const part = page(query);
    const [rows, total] = await listAccessTokens(db, id, part);
    return pageReply(rows.map(presentAccessToken), total, part);
  },
});

export const createToken = route({
  id: 'userCreateToken',
  method: 'POST',
  path: '/users/{username}/tokens',
  access: selfOrAdministratorByPassword,
  scope: 'user',
  parent: accountAt,
  body: CreateAccessTokenBody,
  answers: { 201: AccessToken, 400: problem, 401: problem, 403: problem, 404: problem, 422: problem },
  async handle({ parent, body, context, services, wrote }) {
    const account = existing(parent);
    refuseOrganization(account);
    const asked = { accountId: account.id, name: body.name, scopes: body.scopes ?? [] };
    const { position, ...token } = await createAccessToken(services, asked, context);
    await wrote(position);
    return {
      id: token.tokenId,
      name: token.name,
      sha1: token.secret,
      token_last_eight: token.lastEight,
      scopes: token.scopes,
      created_at: timeText(new Date(token.createdAt)),
    };
  },
});

/** Deletes a token, which the path names by its id or, if no token has that id, by its name. */
export const deleteToken = route({
  id: 'userDeleteAccessToken',
  method: 'DELETE',
  path: '/users/{username}/tokens/{token}',
  access: selfOrAdministratorByPassword,
  scope: 'user',
  parent: accountAt,
  answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
  async handle({ parent, params, context, services, wrote }) {
    const { id: accountId } = existing(parent);
    await wrote(await deleteAccessToken(services, { accountId, token: params.token }, context));
  },
});
