import { z } from 'zod';
import { createAccessToken, deleteAccessToken } from '../../commands/accounts/access-tokens.js';
import { countAccessTokens, listAccessTokens } from '../../queries/accounts/access-tokens.js';
import { selfOrAdministratorByPassword } from '../access.js';
import { pageReply, PageQuery } from '../paging.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { presentAccessToken } from './presenter.js';
import { AccessToken, CreateAccessTokenBody } from './schema.js';
import { refuseOrganization } from './refuse-organization.js';

export const listTokens = route({
  id: 'userListTokens',
  method: 'GET',
  path: '/users/{username}/tokens',
  access: selfOrAdministratorByPassword,
  scope: 'user',
  query: PageQuery,
  answers: { 200: z.array(AccessToken), 401: problem, 403: problem, 404: problem },
  async handle({ params, query, db, find, page }) {
    const account = await find.account(params.username);
    const part = page(query);
    const [rows, total] = await Promise.all([
      listAccessTokens(db, account.id, part),
      countAccessTokens(db, account.id),
    ]);
    return pageReply(rows.map(presentAccessToken), total, part);
  },
});

export const createToken = route({
  id: 'userCreateToken',
  method: 'POST',
  path: '/users/{username}/tokens',
  access: selfOrAdministratorByPassword,
  scope: 'user',
  parent: ({ find, params }) => find.account(params.username),
  body: CreateAccessTokenBody,
  answers: { 201: AccessToken, 400: problem, 401: problem, 403: problem, 404: problem, 422: problem },
  async handle({ parent: account, body, context, services, wrote }) {
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
  answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
  async handle({ params, context, find, services, wrote }) {
    const account = await find.account(params.username);
    await wrote(await deleteAccessToken(services, { accountId: account.id, token: params.token }, context));
  },
});
