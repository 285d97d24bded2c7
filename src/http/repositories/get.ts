import { z } from 'zod';
import { signedIn } from '../access.js';
import { route } from '../route.js';
import { pathId, problem } from '../schema.js';
import { repositoryReader } from './access.js';
import { wholeRepositoryAt, repositoryWithId } from './place.js';
import { presentRepository } from './presenter.js';
import { Repository } from './schema.js';

export const getRepositoryRoutes = [
  route({
    id: 'repoGet',
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    access: repositoryReader,
    scope: 'repository',
    parent: wholeRepositoryAt,
    answers: { 200: Repository, 403: problem, 404: problem },
    handle: ({ parent, caller, services }) => presentRepository(parent.repository, caller, services),
  }),

  route({
    id: 'repoGetByID',
    method: 'GET',
    path: '/repositories/{id}',
    access: signedIn,
    scope: 'repository',
    params: z.object({ id: pathId }),
    parent: ({ db, caller, params }) => repositoryWithId(db, params.id, caller),
    answers: { 200: Repository, 401: problem, 403: problem, 404: problem },
    handle: ({ parent, caller, services }) => presentRepository(parent.repository, caller, services),
  }),
];
