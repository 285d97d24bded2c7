import { deleteRepository } from '../../commands/repositories/delete-repository.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { repositoryOwner } from './access.js';
import { forksOf } from './forks-of.js';
import { repositoryAt } from './place.js';

export const repositoryDelete = route({
  id: 'repoDelete',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}',
  access: repositoryOwner,
  scope: 'repository',
  parent: repositoryAt,
  answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
  async handle({ parent, context, db, services, wrote }) {
    const deletion = { ...services, forksOf: forksOf({ db, wrote }) };
    const { id, owner_id: ownerId } = parent.repository;
    const { position } = await deleteRepository(deletion, { repositoryId: id, ownerId }, context);
    await services.archives.forget(id);
    await wrote(position);
  },
});
