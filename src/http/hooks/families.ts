import { z } from 'zod';
import type { OrganizationRow } from '../../queries/organizations/organizations.js';
import { signedIn, siteAdministrator } from '../access.js';
import type { Principal } from '../caller.js';
import { organizationOwner } from '../organizations/access.js';
import { organizationAt } from '../organizations/place.js';
import { OrganizationParams } from '../organizations/schema.js';
import { repositoryAdministrator } from '../repositories/access.js';
import { repositoryAt, type RepositoryMet } from '../repositories/place.js';
import { RepositoryParams } from '../repositories/schema.js';
import { pathId } from '../schema.js';
import type { HookFamily } from './family.js';

/** Makes the schemas of parameters for the paths of a list of hooks, of one hook and of one of its deliveries. */
const withHookIds = <Shape extends z.ZodRawShape>(params: z.ZodObject<Shape>) => ({
  params,
  hookParams: params.extend({ id: pathId }),
  deliveryParams: params.extend({ id: pathId, delivery: z.string() }),
});

export const repositoryHooks: HookFamily<{ owner: string; repo: string }, RepositoryMet> = {
  name: 'repo',
  path: '/repos/{owner}/{repo}/hooks',
  access: repositoryAdministrator,
  scope: 'repository',
  ...withHookIds(RepositoryParams),
  parent: repositoryAt,
  placeOf: ({ repository }) => ({ scope: 'repository', ownerId: repository.id }),
};

export const organizationHooks: HookFamily<{ org: string }, OrganizationRow> = {
  name: 'org',
  path: '/orgs/{org}/hooks',
  access: organizationOwner,
  scope: 'organization',
  ...withHookIds(OrganizationParams),
  parent: organizationAt,
  placeOf: ({ id }) => ({ scope: 'organization', ownerId: id }),
  tellsOfPrivate: true,
};

/** The caller's own hooks, which are sent the events of the repositories that the caller owns. */
export const userHooks: HookFamily<object, Principal> = {
  name: 'user',
  path: '/user/hooks',
  access: signedIn,
  scope: 'user',
  ...withHookIds(z.object({})),
  parent: ({ caller }) => Promise.resolve(signedIn.admit(caller, { params: {}, parent: undefined })),
  placeOf: ({ accountId }) => ({ scope: 'user', ownerId: accountId }),
  tellsOfPrivate: true,
};

/** The server's hooks, which are sent the events of every repository. */
export const systemHooks: HookFamily<object, undefined> = {
  name: 'admin',
  path: '/admin/hooks',
  access: siteAdministrator,
  scope: 'admin',
  ...withHookIds(z.object({})),
  parent: () => Promise.resolve(undefined),
  placeOf: () => ({ scope: 'system', ownerId: 0 }),
};
