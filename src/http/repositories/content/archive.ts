import { z } from 'zod';
import {
  fileNameOf,
  parseArchiveName,
  type ArchiveFormat,
  type ArchiveKey,
} from '../../../archives/archive.js';
import { badRequest } from '../../../domain/errors.js';
import type { RepositoryBrief } from '../../../queries/repositories/repositories.js';
import { disposition, download } from '../../answers/download.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { repositoryAt } from '../place.js';
import { lockedRevisionAt, revisionAbsent, type Named } from './revision.js';
import { bytesOf, downloadOf, RevQuery } from './schema.js';
import { urlsOf } from './urls.js';

const TYPES: Readonly<Record<ArchiveFormat, string>> = {
  zip: 'application/zip',
  'tar.gz': 'application/gzip',
  bundle: 'application/octet-stream',
};

export const archiveRoutes = [
  /**
   * Answers with a commit as one file, which is made once and kept. Made again, a bundle may have other bytes, because it
   * takes objects as the repository has them packed.
   */
  route({
    id: 'repoGetArchive',
    method: 'GET',
    path: '/repos/{owner}/{repo}/archive/{filepath*}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: RevQuery,
    answers: {
      ...downloadOf(z.union(Object.values(TYPES).map(bytesOf))),
      400: problem,
      403: problem,
      404: problem,
    },
    async handle(request) {
      const { parent, params, query, services, header } = request;
      const { repository } = parent;
      const asked = parseArchiveName(params.filepath);
      if (!asked) throw badRequest('archive.format', 'archives end in .zip, .tar.gz or .bundle');
      if (asked.reference === '') throw revisionAbsent();
      const revision = await lockedRevisionAt(request, asked.reference, query.rev);
      const key = keyOf(repository, revision, asked.format);
      return download(
        {
          tag: fileNameOf(key),
          weak: asked.format === 'bundle',
          headers: {
            'Content-Type': TYPES[asked.format],
            'Content-Disposition': disposition('attachment', nameOf(repository, revision, asked.format)),
            'Access-Control-Expose-Headers': 'Content-Disposition',
            'Cache-Control': 'private, max-age=300',
            ...linkTo(urlsOf(repository, services.config.baseUrl).api, revision, asked.format),
          },
          open: async (inPart) => {
            const archive = await services.archives.open(key, request.client);
            return inPart ? archive.whole() : archive;
          },
        },
        header,
      );
    },
  }),
];

const keyOf = (repository: RepositoryBrief, revision: Named, format: ArchiveFormat): ArchiveKey => ({
  repositoryId: repository.id,
  commit: revision.hash,
  format,
  root: format === 'bundle' ? branchOf(repository, revision) : repository.name,
});

/** Returns the branch under which a bundle has the commit. Other archives have one folder, named after the repository. */
const branchOf = ({ default_branch }: RepositoryBrief, { kind, word }: Named): string =>
  kind === 'branch' ? word : default_branch;

const nameOf = ({ name }: RepositoryBrief, { word }: Named, format: ArchiveFormat): string =>
  `${name}-${word.replaceAll('/', '-')}.${format}`;

/**
 * Links to the same archive by its commit, which no ref of that name can move; package managers lock the `rev`. A bundle
 * has no such link: by its commit it may name another branch, and its bytes may change.
 */
const linkTo = (api: string, { hash }: Named, format: ArchiveFormat): Record<string, string> =>
  format === 'bundle' ? {} : { Link: `<${api}/archive/${hash}.${format}?rev=${hash}>; rel="immutable"` };
