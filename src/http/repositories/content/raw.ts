import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Queryable } from '../../../database/queryable.js';
import { BRANCHES, TAGS } from '../../../domain/repositories/refs.js';
import type { Git } from '../../../git/git.js';
import type { TreeEntry } from '../../../git/port/objects.js';
import type { Revision } from '../../../git/port/refs.js';
import { findFirstRef, type NamedRefRow } from '../../../queries/repositories/refs.js';
import type { Actions } from '../../actions.js';
import { disposition, download, type Opened, type Span } from '../../answers/download.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { repositoryAt, type RepositoryRequest } from '../place.js';
import { MAX_IN_MEMORY } from './content-answer.js';
import { pathAbsent } from './contents.js';
import { mediaTypeOf } from './media-type.js';
import { findCommit, lockedRevisionAt, revisionAbsent, revisionAt, revisionOf } from './revision.js';
import { bytesOf, downloadOf, RefQuery, RevQuery } from './schema.js';

/** Keeps browsers from running scripts in the file. */
const LOCKED_DOWN = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const RawQuery = RefQuery.extend(RevQuery.shape);

type Request = RepositoryRequest & {
  readonly header: Actions['header'];
  readonly client: Actions['client'];
  readonly params: { readonly filepath: string };
  readonly query: z.output<typeof RawQuery>;
};

/** Answers with a file's bytes at the query's revision, else that of the path's beginning, else on the default branch. */
async function rawFile(request: Request) {
  const { parent, services, header, client } = request;
  const { git } = services;
  const { id } = parent.repository;
  const { revision, path } = await placeOf(request);
  const entry = await git.entry(id, revision.hash, path);
  if (entry?.type !== 'blob') throw pathAbsent();
  const type = entry.mode === '120000' ? 'symlink' : 'file';
  return download(
    {
      tag: entry.hash,
      modified: await lastChange(git, id, revision, path),
      headers: {
        'Content-Disposition': disposition('inline', path.slice(path.lastIndexOf('/') + 1)),
        'Access-Control-Expose-Headers': 'Content-Disposition',
        'X-Forgejo-Object-Type': type,
        'X-Gitea-Object-Type': type,
      },
      open: () => openBlob(git, id, entry, client),
    },
    header,
  );
}

async function placeOf(request: Request): Promise<{ revision: Revision; path: string }> {
  const { db, parent, params, query, services } = request;
  const { filepath } = params;
  if (query.ref !== '')
    return { revision: await lockedRevisionAt(request, query.ref, query.rev), path: filepath };
  const { id, is_empty } = parent.repository;
  const found = is_empty ? undefined : await refBeginning(db, id, filepath);
  if (found) {
    const revision = await revisionOf(services, id, found.ref);
    if (!revision) throw revisionAbsent();
    return { revision, path: filepath.slice(found.name.length + 1) };
  }
  // A file may lie in a folder that is named like a hash.
  const word = filepath.slice(0, Math.max(0, filepath.indexOf('/')));
  const revision = await findCommit(request, word);
  if (revision) return { revision, path: filepath.slice(word.length + 1) };
  return { revision: await revisionAt(request, ''), path: filepath };
}

/**
 * Finds the branch or tag that a path begins with, and how the path names it: in full, as addresses of downloads do, or
 * else by its short name, which may itself look like a full one.
 */
async function refBeginning(
  db: Queryable,
  id: number,
  path: string,
): Promise<{ ref: NamedRefRow; name: string } | undefined> {
  const names = namesBeginning(path);
  const inFull = path.startsWith('refs/') ? await findFirstRef(db, id, names) : undefined;
  if (inFull) return { ref: inFull, name: inFull.name };
  const short = names.flatMap((name) => [BRANCHES + name, TAGS + name]);
  const ref = await findFirstRef(db, id, short);
  return ref && { ref, name: ref.short_name };
}

/** Returns the names `a` and `a/b` of `a/b/c`, those that are no longer than the name of a ref may be. */
const namesBeginning = (path: string): string[] => {
  const parts = path.split('/').slice(0, 51);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** Returns when the file last changed, or the commit's own time if that takes too long to find. */
async function lastChange(git: Git, id: number, { hash }: Revision, path: string): Promise<Date> {
  const last = (await git.lastCommits(id, hash, [path])).get(path) ?? hash;
  const commit = await git.commit(id, last);
  return new Date(commit?.committer.at ?? 0);
}

async function openBlob(git: Git, id: number, { hash }: TreeEntry, client: string): Promise<Opened> {
  const blob = await git.blob(id, hash, MAX_IN_MEMORY);
  if (!blob) throw pathAbsent();
  const { size, content } = blob;
  if (content)
    return {
      size,
      headers: headersOf(content),
      read: (part) => Promise.resolve(part ? content.subarray(part.start, part.end + 1) : content),
    };
  const opened = await git.blobStream(id, hash, client);
  if (!opened) throw pathAbsent();
  const { stream } = opened;
  return {
    size,
    headers: headersOf(await beginningOf(stream)),
    read: (part) => Promise.resolve(part ? within(stream, part) : stream),
    close: () => stream.destroy(),
  };
}

function headersOf(head: Buffer): Record<string, string> {
  const type = mediaTypeOf(head);
  const active = type === 'image/svg+xml' || type === 'application/pdf';
  return { 'Content-Type': type, ...(active && { 'Content-Security-Policy': LOCKED_DOWN }) };
}

/** Returns the first bytes of a stream that is not empty; it can still be read from its beginning. */
async function beginningOf(stream: Readable): Promise<Buffer> {
  await once(stream, 'readable');
  const first = stream.read() as Buffer;
  stream.unshift(first);
  return first;
}

/** Cuts a stream from `start` to `end`, both included; what follows is not read. */
function within(source: Readable, span: Span): Readable {
  return Readable.from(cut(source, span), { objectMode: false }).once('close', () => source.destroy());
}

async function* cut(source: AsyncIterable<Buffer>, { start, end }: Span): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of source) {
    const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position));
    if (part.length > 0) yield part;
    position += chunk.length;
    if (position > end) return;
  }
}

const rawRoute = (id: string, word: 'media' | 'raw') =>
  route({
    id,
    method: 'GET',
    path: `/repos/{owner}/{repo}/${word}/{filepath*}`,
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: RawQuery,
    answers: { ...downloadOf(bytesOf('*/*')), 403: problem, 404: problem },
    handle: rawFile,
  });

export const rawRoutes = [
  rawRoute('repoGetRawFile', 'raw'),
  /** There are no LFS objects, so a pointer is served as the file itself. */
  rawRoute('repoGetRawFileOrLFS', 'media'),
];
