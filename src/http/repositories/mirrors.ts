import { pullMirror } from '../../commands/repositories/pull-mirror.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { repositoryWriter } from './access.js';
import { wholeRepositoryAt } from './place.js';

export const mirrorRoutes = [
  /** Answers once the mirror has everything that its source has. */
  route({
    id: 'repoMirrorSync',
    method: 'POST',
    path: '/repos/{owner}/{repo}/mirror-sync',
    access: repositoryWriter,
    scope: 'repository',
    parent: wholeRepositoryAt,
    answers: {
      200: nothing,
      400: problem,
      401: problem,
      403: problem,
      404: problem,
      409: problem,
      413: problem,
      422: problem,
      423: problem,
    },
    async handle({ parent: { repository }, context, services, wrote }) {
      const mirror = { repositoryId: repository.id, url: repository.original_url };
      await wrote(await pullMirror(services, mirror, context));
    },
  }),
];
