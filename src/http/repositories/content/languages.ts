import { z } from 'zod';
import { mostFirst } from '../../../domain/repositories/languages.js';
import { languagesOf } from '../../../languages/languages-of.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { wholeRepositoryAt } from '../place.js';
import { revisionAt } from './revision.js';

export const languageRoutes = [
  /** Answers with the bytes by language on the default branch; none for an empty repository. */
  route({
    id: 'repoGetLanguages',
    method: 'GET',
    path: '/repos/{owner}/{repo}/languages',
    access: codeReader,
    scope: 'repository',
    parent: wholeRepositoryAt,
    answers: { 200: z.record(z.string(), z.int()), 403: problem, 404: problem },
    async handle(request) {
      const { parent, services } = request;
      const { id, is_empty, languages, languages_of } = parent.repository;
      if (is_empty) return {};
      const { hash } = await revisionAt(request, '');
      return languages && hash === languages_of ? mostFirst(languages) : languagesOf(services.git, id, hash);
    },
  }),
];
