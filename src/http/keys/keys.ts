import { z } from 'zod';
import { addPublicKey, removePublicKey } from '../../commands/accounts/public-keys.js';
import { parsePublicKey } from '../../commands/accounts/parse-public-key.js';
import { invalid, notFound } from '../../domain/errors.js';
import { findPublicKey, listPublicKeys, type PublicKeyFilter } from '../../queries/accounts/public-keys.js';
import { isDeployKey } from '../../queries/repositories/deploy-keys.js';
import { signedIn, siteAdministrator } from '../access.js';
import { accountSeen } from '../accounts/visibility.js';
import { refuseOrganization } from '../accounts/refuse-organization.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { untilShown } from '../moment.js';
import { pageReply } from '../answers/paging.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { presentKeys } from './presenter.js';
import { CreateKeyBody, KeyParams, KeysQuery, PublicKey, UserKeyParams } from './schema.js';
import { asSoleAdder } from './sole-adder.js';

type Request = Actions & { readonly caller: Principal };

const keyAbsent = () => notFound('public_key.absent', 'no such key');

async function list(request: Request, filter: PublicKeyFilter, query: z.output<typeof KeysQuery>) {
  const { db } = request;
  const part = request.page(query);
  const [rows, total] = await listPublicKeys(db, filter, part);
  return pageReply(await presentKeys(request, rows), total, part);
}

async function create(request: Request, accountId: number, body: z.output<typeof CreateKeyBody>) {
  const { db, services, context, wrote } = request;
  const { title, key } = body;
  const { fingerprint } = parsePublicKey(key);
  const { keyId, line, position } = await asSoleAdder(services.vault, fingerprint, async () => {
    await untilShown(services);
    if (await isDeployKey(db, fingerprint))
      throw invalid('public_key.of_repository', 'Key', 'a repository has the key as a deploy key');
    return addPublicKey(services, { accountId, title, key }, context);
  });
  await wrote(position);
  const created_at = new Date(context.at);
  const row = { id: keyId, account_id: accountId, title, key: line, fingerprint, created_at };
  return (await presentKeys(request, [row]))[0];
}

async function remove({ services, context, wrote }: Request, accountId: number, keyId: number) {
  await wrote(await removePublicKey(services, { accountId, keyId }, context));
}

export const keyRoutes = [
  route({
    id: 'adminCreatePublicKey',
    method: 'POST',
    path: '/admin/users/{username}/keys',
    access: siteAdministrator,
    scope: 'admin',
    parent: ({ find, params }) => find.account(params.username),
    body: CreateKeyBody,
    answers: { 201: PublicKey, 403: problem, 404: problem, 422: problem },
    handle(request) {
      refuseOrganization(request.parent);
      return create(request, request.parent.id, request.body);
    },
  }),

  /** Another user's key is answered as if it did not exist. */
  route({
    id: 'adminDeleteUserPublicKey',
    method: 'DELETE',
    path: '/admin/users/{username}/keys/{id}',
    access: siteAdministrator,
    scope: 'admin',
    params: UserKeyParams,
    answers: { 204: nothing, 403: problem, 404: problem },
    async handle(request) {
      await remove(request, await request.find.accountId(request.params.username), request.params.id);
    },
  }),

  /** With a fingerprint, the keys of all users are searched, because clients expect that. */
  route({
    id: 'userCurrentListKeys',
    method: 'GET',
    path: '/user/keys',
    access: signedIn,
    scope: 'user',
    query: KeysQuery,
    answers: { 200: z.array(PublicKey), 401: problem },
    handle(request) {
      const { caller, query } = request;
      const fingerprint = query.fingerprint ?? null;
      return list(request, { accountId: fingerprint === null ? caller.accountId : null, fingerprint }, query);
    },
  }),

  route({
    id: 'userCurrentPostKey',
    method: 'POST',
    path: '/user/keys',
    access: signedIn,
    scope: 'user',
    body: CreateKeyBody,
    answers: { 201: PublicKey, 401: problem, 422: problem },
    handle: (request) => create(request, request.caller.accountId, request.body),
  }),

  route({
    id: 'userCurrentGetKey',
    method: 'GET',
    path: '/user/keys/{id}',
    access: signedIn,
    scope: 'user',
    params: KeyParams,
    answers: { 200: PublicKey, 401: problem, 404: problem },
    async handle(request) {
      const key = await findPublicKey(request.db, request.params.id);
      if (!key) throw keyAbsent();
      return (await presentKeys(request, [key]))[0];
    },
  }),

  route({
    id: 'userCurrentDeleteKey',
    method: 'DELETE',
    path: '/user/keys/{id}',
    access: signedIn,
    scope: 'user',
    params: KeyParams,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
    async handle(request) {
      const { caller, db, params } = request;
      const key = await findPublicKey(db, params.id);
      if (!key) throw keyAbsent();
      if (key.account_id !== caller.accountId && !caller.isAdmin)
        throw new Refused(403, 'only the owner and site administrators');
      await remove(request, key.account_id, key.id);
    },
  }),

  route({
    id: 'userListKeys',
    method: 'GET',
    path: '/users/{username}/keys',
    access: signedIn,
    scope: 'user',
    query: KeysQuery,
    answers: { 200: z.array(PublicKey), 401: problem, 404: problem },
    async handle(request) {
      const { params, query } = request;
      const { id: accountId } = await accountSeen(request, params.username);
      return list(request, { accountId, fingerprint: query.fingerprint ?? null }, query);
    },
  }),
];
