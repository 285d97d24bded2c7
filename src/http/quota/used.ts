import { z } from 'zod';
import { signedIn } from '../access.js';
import type { ListRequest } from '../actions.js';
import { organizationOwner } from '../organizations/access.js';
import { organizationAt } from '../organizations/place.js';
import { pageReply } from '../answers/paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { PageAsOfQuery, QuotaUsedArtifact, QuotaUsedAttachment, QuotaUsedPackage } from './schema.js';

/** Answers with an empty page, because this server stores no attachments, packages or artifacts. */
const nothingStored = ({ query, page, url }: ListRequest) => pageReply([], 0, page(query), url);

const kinds = [
  { name: 'Attachments', path: 'attachments', shape: QuotaUsedAttachment },
  { name: 'Packages', path: 'packages', shape: QuotaUsedPackage },
  { name: 'Artifacts', path: 'artifacts', shape: QuotaUsedArtifact },
] as const;

/** The routes that list what an account stores besides repositories, largest first. */
export const quotaUsedRoutes = kinds.flatMap(({ name, path, shape }) => [
  route({
    id: `userListQuota${name}`,
    method: 'GET',
    path: `/user/quota/${path}`,
    access: signedIn,
    scope: 'user',
    query: PageAsOfQuery,
    answers: { 200: z.array(shape), 401: problem, 403: problem, 422: problem },
    handle: nothingStored,
  }),

  route({
    id: `orgListQuota${name}`,
    method: 'GET',
    path: `/orgs/{org}/quota/${path}`,
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    query: PageAsOfQuery,
    answers: { 200: z.array(shape), 401: problem, 403: problem, 404: problem, 422: problem },
    handle: nothingStored,
  }),
]);
