import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { repositoryOwner } from './access.js';
import { deleteWithArchives } from './delete-with-archives.js';
import { repositoryAt } from './place.js';

export const repositoryDelete = route({
  id: 'repoDelete',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}',
  access: repositoryOwner,
  scope: 'repository',
  parent: repositoryAt,
  answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 423: problem },
  async handle({ parent, context, db, services, wrote }) {
    const { id: repositoryId, owner_id: ownerId } = parent.repository;
    await wrote(await deleteWithArchives({ db, services, wrote }, { repositoryId, ownerId }, context));
  },
});
