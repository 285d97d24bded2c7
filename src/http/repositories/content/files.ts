import type { z } from 'zod';
import { changeFiles, type FilesCommitted } from '../../../commands/repositories/change-files.js';
import type { FileChange } from '../../../commands/repositories/file-changes.js';
import type { Signature } from '../../../git/port/objects.js';
import type { Actions } from '../../actions.js';
import type { Principal } from '../../caller.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { repositoryWriter } from '../access.js';
import { repositoryAt, type RepositoryMet } from '../place.js';
import { pusherOf } from './branch-view.js';
import { signaturesOf } from './identities.js';
import { presentMeta, presentPerson } from './present-commit.js';
import { contentsOfFiles, presentListing, withContent, type ContentsView } from './present-contents.js';
import {
  ChangeFilesBody,
  CreateFileBody,
  DeleteFileBody,
  FileResponse,
  FilesResponse,
  UpdateFileBody,
} from './file-schema.js';
import { stillWriter } from './still-writer.js';
import { urlsOf } from './urls.js';
import { presentVerification } from './verification.js';

type Options = Omit<z.output<typeof CreateFileBody>, 'content'>;
type Request = Pick<Actions, 'context' | 'db' | 'now' | 'services' | 'wrote'> & {
  readonly caller: Principal;
  readonly parent: RepositoryMet;
  readonly body: Options;
};

const refusals = {
  401: problem,
  403: problem,
  404: problem,
  409: problem,
  413: problem,
  422: problem,
  423: problem,
};

/** Commits the changes, and answers with each resulting file; null for deleted ones. */
async function commitFiles(request: Request, files: readonly FileChange[]) {
  const { parent, body, caller, context, db, services, wrote } = request;
  const people = await signaturesOf(request, body);
  const committed = await changeFiles(
    services,
    {
      repositoryId: parent.repository.id,
      pusher: await pusherOf(db, parent, caller),
      branch: body.branch,
      newBranch: body.new_branch,
      files,
      message: messageOf(body, files, people.committer),
      ...people,
      ...stillWriter(request),
    },
    context,
  );
  await wrote(committed);
  return present(request, committed, files);
}

async function present(
  { parent, services }: Request,
  { commit, branch }: FilesCommitted,
  files: readonly FileChange[],
) {
  const { git, config } = services;
  const { id } = parent.repository;
  const urls = urlsOf(parent.repository, config.baseUrl);
  const revision = { hash: commit.hash, kind: 'branch', word: branch } as const;
  const view = { git, repositoryId: id, urls, revision };
  const contents = await presentFiles(view, files);
  const { tree, message } = commit;
  return {
    files: contents,
    commit: {
      ...presentMeta(commit.hash, urls),
      html_url: `${urls.html}/commit/${commit.hash}`,
      author: presentPerson(commit.author),
      committer: presentPerson(commit.committer),
      parents: commit.parents.map((hash) => presentMeta(hash, urls)),
      message,
      tree: { ...presentMeta(tree, urls), url: `${urls.api}/git/trees/${tree}` },
    },
    verification: presentVerification(undefined),
  };
}

/** Presents the resulting files, in the order of the changes. */
async function presentFiles(view: ContentsView, files: readonly FileChange[]) {
  const { git, repositoryId, revision } = view;
  const kept = files.filter(({ operation }) => operation !== 'delete');
  const paths = kept.map(({ path }) => path);
  const entries = await git.entries(repositoryId, revision.hash, paths);
  const listed = await presentListing(view, [...entries.values()]);
  const contents = new Map(listed.map((each) => [each.path, each]));
  const moved = kept.flatMap(({ path, content }) => (content ? [] : (contents.get(path) ?? [])));
  const read = await contentsOfFiles(view, moved);
  return files.map(({ operation, path, content }) => {
    const entry = operation === 'delete' ? undefined : contents.get(path);
    return entry ? withContent(entry, content ?? read.get(path)) : null;
  });
}

/** As `commitFiles`, for a single file. */
async function commitFile(request: Request, file: FileChange) {
  const { files, ...answer } = await commitFiles(request, [file]);
  return { content: files[0] ?? null, ...answer };
}

const VERBS = { create: 'Add', update: 'Update', delete: 'Delete' } as const;

/** Returns the requested message, or else one that lists the changes; it ends with a line feed. */
function messageOf(
  { message, signoff }: Options,
  files: readonly FileChange[],
  { name, email }: Signature,
): string {
  const done = files.map(({ operation, path }) => `${VERBS[operation]} ${path}`);
  const text = (message?.trim() ? message : done.join('\n')).trimEnd();
  return signoff ? `${text}\n\nSigned-off-by: ${name} <${email}>\n` : `${text}\n`;
}

export const fileRoutes = [
  route({
    id: 'repoCreateFile',
    method: 'POST',
    path: '/repos/{owner}/{repo}/contents/{filepath*}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    body: CreateFileBody,
    answers: { 201: FileResponse, ...refusals },
    handle: (request) =>
      commitFile(request, {
        operation: 'create',
        path: request.params.filepath,
        content: request.body.content ?? Buffer.alloc(0),
      }),
  }),

  route({
    id: 'repoUpdateFile',
    method: 'PUT',
    path: '/repos/{owner}/{repo}/contents/{filepath*}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    body: UpdateFileBody,
    answers: { 200: FileResponse, ...refusals },
    handle: (request) => {
      const { content, sha, from_path } = request.body;
      return commitFile(request, updated(request.params.filepath, content, sha, from_path));
    },
  }),

  route({
    id: 'repoDeleteFile',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/contents/{filepath*}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    body: DeleteFileBody,
    answers: { 200: FileResponse, 400: problem, ...refusals },
    handle: (request) =>
      commitFile(request, { operation: 'delete', path: request.params.filepath, sha: request.body.sha }),
  }),

  route({
    id: 'repoChangeFiles',
    method: 'POST',
    path: '/repos/{owner}/{repo}/contents',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    body: ChangeFilesBody,
    answers: { 201: FilesResponse, 400: problem, ...refusals },
    handle: (request) =>
      commitFiles(
        request,
        request.body.files.map(({ operation, path, content, sha, from_path }): FileChange => {
          if (operation === 'create') return { operation, path, content: content ?? Buffer.alloc(0) };
          if (operation === 'update') return updated(path, content, sha ?? '', from_path);
          return { operation, path, sha: sha ?? '' };
        }),
      ),
  }),
];

/** Makes the change of an update. A file that is moved keeps its content unless there is a new one. */
const updated = (
  path: string,
  content: Buffer | undefined,
  sha: string,
  fromPath: string | undefined,
): FileChange => ({
  operation: 'update',
  path,
  sha,
  ...(fromPath === undefined
    ? { content: content ?? Buffer.alloc(0) }
    : { fromPath, ...(content && { content }) }),
});
