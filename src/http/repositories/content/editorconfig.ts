import { z } from 'zod';
import { notFound } from '../../../domain/errors.js';
import { MAX_EDITORCONFIG_BYTES } from '../../../editorconfig/editor-configs.js';
import { isReadablePath } from '../../../git/objects/path.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { repositoryAt } from '../place.js';
import { revisionAt } from './revision.js';
import { RefQuery } from './schema.js';

/** The settings of an `.editorconfig`; those it does not set are absent. */
const EditorConfig = z
  .object({
    charset: z.string().optional(),
    indent_style: z.string().optional(),
    indent_size: z.string().optional(),
    tab_width: z.int().optional(),
    end_of_line: z.string().optional(),
    trim_trailing_whitespace: z.boolean().optional(),
    insert_final_newline: z.boolean().optional(),
    max_line_length: z.int().optional(),
  })
  .meta({ id: 'EditorConfigDefinition' });

const editorConfigAbsent = () => notFound('editorconfig.absent', 'no .editorconfig here');

export const editorConfigRoutes = [
  /** Answers with the settings of the root's `.editorconfig` for a file, which need not exist. */
  route({
    id: 'repoGetEditorConfig',
    method: 'GET',
    path: '/repos/{owner}/{repo}/editorconfig/{filepath*}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: RefQuery,
    answers: { 200: EditorConfig, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, query, services, client } = request;
      const { id } = parent.repository;
      if (!isReadablePath(params.filepath)) throw notFound('path.absent', 'no file can have this path');
      const { hash: commit } = await revisionAt(request, query.ref);
      const entry = await services.git.entry(id, commit, '.editorconfig');
      if (entry?.type !== 'blob' || entry.mode === '120000') throw editorConfigAbsent();
      const blob = await services.git.blob(id, entry.hash, MAX_EDITORCONFIG_BYTES - 1);
      if (!blob?.content) throw editorConfigAbsent();
      return services.editorConfigs.propertiesFor(
        { hash: blob.hash, contents: blob.content, client },
        params.filepath,
      );
    },
  }),
];
