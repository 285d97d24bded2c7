import { z } from 'zod';
import { fingerprintClaim } from '../../commands/accounts/account-claims.js';
import { parsePublicKey } from '../../commands/accounts/parse-public-key.js';
import { holderOf } from '../../commands/claimable.js';
import { factsOf, type CommandHandler } from '../../commands/handle.js';
import { notFound } from '../../domain/errors.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { Repository } from '../../domain/repositories/repository.js';
import { findDeployKey, listDeployKeys, type DeployKeyRow } from '../../queries/repositories/deploy-keys.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { timeText } from '../answers/time-text.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { asSoleAdder } from '../keys/sole-adder.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { route } from '../route.js';
import {
  atMost,
  nothing,
  optional,
  pathId,
  problem,
  queryInteger,
  queryText,
  requiredText,
  shownTime,
} from '../schema.js';
import { repositoryAdministrator } from './access.js';
import { urlsOf } from './content/urls.js';
import { repositoryAt, wholeRepositoryAt, type RepositoryMet } from './place.js';
import { presentRepository } from './presenter.js';
import { Repository as PresentedRepository, RepositoryParams } from './schema.js';

const DeployKeyParams = RepositoryParams.extend({ id: pathId });

/** CreateKeyOption. The parser checks the key. */
const CreateKeyBody = z
  .object({
    title: requiredText.pipe(atMost(255)),
    key: requiredText,
    read_only: optional(z.boolean()),
  })
  .meta({ id: 'CreateDeployKeyOption' });

const DeployKeysQuery = PageQuery.extend({
  key_id: queryInteger,
  fingerprint: queryText,
});

/** `repository` is included for its owners and site administrators. */
const DeployKey = z
  .object({
    id: z.int(),
    key_id: z.int(),
    key: z.string(),
    url: z.string(),
    title: z.string(),
    fingerprint: z.string(),
    created_at: shownTime,
    read_only: z.boolean(),
    repository: PresentedRepository.optional(),
  })
  .meta({ id: 'DeployKey' });

type Request = Actions & { readonly caller: Principal; readonly parent: RepositoryMet<RepositoryRow> };

const keyAbsent = () => notFound('deploy_key.absent', 'no such key');

async function presentKeys({ caller, parent, services }: Request, rows: readonly DeployKeyRow[]) {
  const { repository, rank } = parent;
  const told = rank >= rankOf('owner') && rows.length > 0;
  const presented = told && { repository: await presentRepository(repository, caller, services) };
  const { api } = urlsOf(repository, services.config.baseUrl);
  return rows.map((row) => ({
    id: row.id,
    key_id: row.id,
    key: row.key,
    url: `${api}/keys/${row.id}`,
    title: row.title,
    fingerprint: row.fingerprint,
    created_at: timeText(row.created_at),
    read_only: row.read_only,
    ...presented,
  }));
}

/** Tells, from the log, whether a user has the key. */
const isKeyOfUser = async (commands: CommandHandler, fingerprint: string): Promise<boolean> =>
  (await holderOf(commands, fingerprintClaim(fingerprint))) !== undefined;

export const deployKeyRoutes = [
  route({
    id: 'repoListKeys',
    method: 'GET',
    path: '/repos/{owner}/{repo}/keys',
    access: repositoryAdministrator,
    scope: 'repository',
    parent: wholeRepositoryAt,
    query: DeployKeysQuery,
    answers: { 200: z.array(DeployKey), 401: problem, 403: problem, 404: problem },
    async handle(request) {
      const { parent, query, db, page, url } = request;
      const part = page(query);
      const filter = {
        repositoryId: parent.repository.id,
        keyId: query.key_id > 0 ? query.key_id : null,
        fingerprint: query.fingerprint ?? null,
      };
      const [rows, total] = await listDeployKeys(db, filter, part);
      return pageReply(await presentKeys(request, rows), total, part, url);
    },
  }),

  route({
    id: 'repoCreateKey',
    method: 'POST',
    path: '/repos/{owner}/{repo}/keys',
    access: repositoryAdministrator,
    scope: 'repository',
    parent: wholeRepositoryAt,
    body: CreateKeyBody,
    answers: { 201: DeployKey, 401: problem, 403: problem, 404: problem, 422: problem, 423: problem },
    async handle(request) {
      const { parent, caller, body, handle, newId, now, services } = request;
      const repositoryId = parent.repository.id;
      const { fingerprint, line: key } = parsePublicKey(body.key);
      const readOnly = body.read_only ?? false;
      const facts = { title: body.title, key, fingerprint, readOnly, addedBy: caller.accountId };
      const keyId = await newId('publicKey');
      const command = async () => {
        const isOfUser = await isKeyOfUser(services.commands, fingerprint);
        return { type: 'AddDeployKey', data: { ...facts, keyId, isOfUser, at: now() } } as const;
      };
      const handled = await asSoleAdder(services.vault, fingerprint, () =>
        handle(Repository, repositoryId, command),
      );
      const added = factsOf(handled, 'DeployKeyAdded');
      const row = {
        repository_id: repositoryId,
        id: added.keyId,
        title: added.title,
        key: added.key,
        fingerprint: added.fingerprint,
        read_only: added.readOnly,
        created_at: new Date(added.addedAt),
      };
      return (await presentKeys(request, [row]))[0];
    },
  }),

  route({
    id: 'repoGetKey',
    method: 'GET',
    path: '/repos/{owner}/{repo}/keys/{id}',
    access: repositoryAdministrator,
    scope: 'repository',
    params: DeployKeyParams,
    parent: wholeRepositoryAt,
    answers: { 200: DeployKey, 401: problem, 403: problem, 404: problem },
    async handle(request) {
      const { parent, params, db } = request;
      const row = await findDeployKey(db, parent.repository.id, params.id);
      if (!row) throw keyAbsent();
      return (await presentKeys(request, [row]))[0];
    },
  }),

  /** Another repository's key is answered as if it did not exist. */
  route({
    id: 'repoDeleteKey',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/keys/{id}',
    access: repositoryAdministrator,
    scope: 'repository',
    params: DeployKeyParams,
    parent: repositoryAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 423: problem },
    async handle({ parent: { repository }, params, handle, now }) {
      const data = { keyId: params.id, at: now() };
      await handle(Repository, repository.id, { type: 'RemoveDeployKey', data });
    },
  }),
];
