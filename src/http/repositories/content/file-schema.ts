import { z } from 'zod';
import { atMost, optional, orNothing, requiredText, shownTime, time } from '../../schema.js';
import { NO_TIME } from '../../answers/time-text.js';
import { CommitMeta, CommitUser, MAX_MESSAGE, Verification } from './schema.js';

const NOT_GIVEN = Date.parse(NO_TIME);

/** A time that git can store: in whole seconds, since 1970. The first moment of year 1 counts as absent. */
const commitTime = time.transform((text, context) => {
  if (Date.parse(text) === NOT_GIVEN) return undefined;
  if (Date.parse(text) >= 0) return text.toUpperCase().replace(/\.\d+/, '');
  context.addIssue('must not be before 1970');
  return z.NEVER;
});

const Links = z.object({ self: z.string(), git: z.string().nullable(), html: z.string().nullable() });

export const ContentsResponse = z
  .object({
    name: z.string(),
    path: z.string(),
    sha: z.string(),
    last_commit_sha: z.string(),
    last_commit_when: shownTime,
    type: z.enum(['file', 'dir', 'symlink', 'submodule']),
    size: z.int(),
    encoding: z.string().nullable(),
    content: z.string().nullable(),
    target: z.string().nullable(),
    url: z.string(),
    html_url: z.string().nullable(),
    git_url: z.string().nullable(),
    download_url: z.string().nullable(),
    submodule_git_url: z.string().nullable(),
    _links: Links,
  })
  .meta({ id: 'ContentsResponse' });

const FileCommit = z
  .object({
    ...CommitMeta.shape,
    html_url: z.string(),
    author: CommitUser,
    committer: CommitUser,
    parents: z.array(CommitMeta),
    message: z.string(),
    tree: CommitMeta,
  })
  .meta({ id: 'FileCommitResponse' });

export const FileResponse = z
  .object({ content: ContentsResponse.nullable(), commit: FileCommit, verification: Verification })
  .meta({ id: 'FileResponse' });

export const FilesResponse = z
  .object({ files: z.array(ContentsResponse.nullable()), commit: FileCommit, verification: Verification })
  .meta({ id: 'FilesResponse' });

/** Bytes in base64, in which line ends are ignored. */
const base64 = z.string().transform((text, context) => {
  const plain = text.replace(/[\r\n]/g, '');
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(plain) && plain.length % 4 === 0) return Buffer.from(plain, 'base64');
  context.addIssue('must be base64');
  return z.NEVER;
});

/** A person's name or address, without the characters at which git would cut it off. */
const personal = (max: number) => atMost(max).regex(/^[^<>\p{Cc}]*$/u, 'must not hold < > or line ends');

const Identity = z
  .object({ name: orNothing(personal(100)), email: orNothing(personal(254)) })
  .meta({ id: 'Identity' });

const Dates = z
  .object({ author: optional(commitTime), committer: optional(commitTime) })
  .meta({ id: 'CommitDateOptions' });

const commitOptions = {
  message: optional(atMost(MAX_MESSAGE)),
  branch: orNothing(z.string()),
  new_branch: orNothing(z.string()),
  author: optional(Identity),
  committer: optional(Identity),
  dates: optional(Dates),
  signoff: optional(z.boolean()),
};

const filePath = atMost(500);

export const CreateFileBody = z
  .object({ ...commitOptions, content: optional(base64) })
  .meta({ id: 'CreateFileOptions' });

export const UpdateFileBody = z
  .object({
    ...commitOptions,
    content: optional(base64),
    sha: requiredText,
    from_path: orNothing(filePath),
  })
  .meta({ id: 'UpdateFileOptions' });

export const DeleteFileBody = z
  .object({ ...commitOptions, sha: requiredText })
  .meta({ id: 'DeleteFileOptions' });

export const ChangeFilesBody = z
  .object({
    ...commitOptions,
    files: z
      .array(
        z.object({
          operation: z.enum(['create', 'update', 'delete'], 'must be create, update or delete'),
          path: requiredText.pipe(filePath),
          content: optional(base64),
          sha: optional(z.string()),
          from_path: orNothing(filePath),
        }),
      )
      .min(1, 'Required')
      .max(1_000, 'must have 1000 entries at most'),
  })
  .meta({ id: 'ChangeFilesOptions' });
