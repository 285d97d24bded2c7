import { z } from 'zod';
import { User } from '../../accounts/schema.js';
import { PageQuery } from '../../paging.js';
import { atMost, optional, queryBoolean, queryInteger, requiredText, shownTime, time } from '../../schema.js';
import { RepositoryParams } from '../schema.js';

const MAX_MESSAGE = 65_536;

/** How clients written in Go send a time that they were not given. */
const NOT_GIVEN = Date.parse('0001-01-01T00:00:00Z');

/** A time that git can keep: in whole seconds, from 1970 on; the first moment of year 1 is none. */
const commitTime = time.transform((text, context) => {
  if (Date.parse(text) === NOT_GIVEN) return undefined;
  if (Date.parse(text) >= 0) return text.toUpperCase().replace(/\.\d+/, '');
  context.addIssue('must not be before 1970');
  return z.NEVER;
});

export const BranchParams = RepositoryParams.extend({ branch: z.string() });
export const FilePathParams = RepositoryParams.extend({ filepath: z.string() });

/** `ref`: a branch, a tag or a commit; empty stands for the default branch. */
export const RefQuery = z.object({ ref: z.string().default('') });

/** Bytes, whatever their type. */
export const bytes = z
  .unknown()
  .meta({ id: 'Bytes', type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' });

export const Verification = z
  .object({
    verified: z.boolean(),
    reason: z.string(),
    signature: z.string(),
    payload: z.string(),
    signer: z.object({ name: z.string(), email: z.string(), username: z.string() }).nullable(),
  })
  .meta({ id: 'PayloadCommitVerification' });

const PayloadUser = z
  .object({ name: z.string(), email: z.string(), username: z.string() })
  .meta({ id: 'PayloadUser' });

export const PayloadCommit = z
  .object({
    id: z.string(),
    message: z.string(),
    url: z.string(),
    author: PayloadUser,
    committer: PayloadUser,
    verification: Verification,
    timestamp: shownTime,
    added: z.null(),
    removed: z.null(),
    modified: z.null(),
  })
  .meta({ id: 'PayloadCommit' });

export const Branch = z
  .object({
    name: z.string(),
    commit: PayloadCommit,
    protected: z.boolean(),
    required_approvals: z.int(),
    enable_status_check: z.boolean(),
    status_check_contexts: z.array(z.string()),
    user_can_push: z.boolean(),
    user_can_merge: z.boolean(),
    effective_branch_protection_name: z.string(),
  })
  .meta({ id: 'Branch' });

export const CommitMeta = z
  .object({ url: z.string(), sha: z.string(), created: shownTime })
  .meta({ id: 'CommitMeta' });

export const CommitUser = z
  .object({ name: z.string(), email: z.string(), date: z.string() })
  .meta({ id: 'CommitUser' });

export const Commit = z
  .object({
    ...CommitMeta.shape,
    html_url: z.string(),
    commit: z.object({
      url: z.string(),
      author: CommitUser,
      committer: CommitUser,
      message: z.string(),
      tree: CommitMeta,
      verification: Verification.nullable(),
    }),
    author: User.nullable(),
    committer: User.nullable(),
    parents: z.array(CommitMeta),
    files: z.array(z.object({ filename: z.string(), status: z.string() })).nullable(),
    stats: z.object({ total: z.int(), additions: z.int(), deletions: z.int() }).nullable(),
  })
  .meta({ id: 'Commit' });

/** What an `.editorconfig` says; what it does not set is absent. */
export const EditorConfig = z
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

const Links = z.object({ self: z.string(), git: z.string().nullable(), html: z.string().nullable() });

export const ContentsResponse = z
  .object({
    name: z.string(),
    path: z.string(),
    sha: z.string(),
    last_commit_sha: z.string(),
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

/** Absent, null or empty: undefined. */
const orNothing = <T extends z.ZodType<string>>(schema: T) =>
  optional(schema).transform((text) => (text === '' ? undefined : text));

/** Bytes in base64; line ends in it count for nothing. */
const base64 = z.string().transform((text, context) => {
  const plain = text.replace(/[\r\n]/g, '');
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(plain) && plain.length % 4 === 0) return Buffer.from(plain, 'base64');
  context.addIssue('must be base64');
  return z.NEVER;
});

/** What git keeps of a person; it would end at one of these characters. */
const personal = (max: number) => atMost(max).regex(/^[^<>\p{Cc}]*$/u, 'must not hold < > or line ends');

const Identity = z.object({ name: orNothing(personal(100)), email: orNothing(personal(254)) });

const Dates = z.object({ author: optional(commitTime), committer: optional(commitTime) });

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

/** CreateBranchRepoOption; `old_branch_name` is how older clients say `old_ref_name`. */
export const CreateBranchBody = z
  .object({
    new_branch_name: requiredText,
    old_ref_name: orNothing(z.string()),
    old_branch_name: orNothing(z.string()),
  })
  .meta({ id: 'CreateBranchRepoOption' });

export const RenameBranchBody = z.object({ name: requiredText }).meta({ id: 'UpdateBranchRepoOption' });

export const TagParams = RepositoryParams.extend({ tag: z.string() });
export const ShaParams = RepositoryParams.extend({ sha: z.string() });
export const GitRefParams = RepositoryParams.extend({ ref: z.string() });

/** CreateTagOption; empty text for `target` is the default branch. */
export const CreateTagBody = z
  .object({
    tag_name: requiredText,
    target: orNothing(z.string()),
    message: orNothing(atMost(MAX_MESSAGE)),
  })
  .meta({ id: 'CreateTagOption' });

const DownloadCount = z.object({ zip: z.int(), tar_gz: z.int() });

export const Tag = z
  .object({
    name: z.string(),
    message: z.string(),
    id: z.string(),
    commit: CommitMeta,
    zipball_url: z.string(),
    tarball_url: z.string(),
    archive_download_count: DownloadCount,
  })
  .meta({ id: 'Tag' });

const GitObject = z.object({ type: z.string(), sha: z.string(), url: z.string() });

export const AnnotatedTag = z
  .object({
    tag: z.string(),
    sha: z.string(),
    url: z.string(),
    message: z.string(),
    tagger: CommitUser,
    object: GitObject,
    verification: Verification,
    archive_download_count: DownloadCount,
  })
  .meta({ id: 'AnnotatedTag' });

export const Reference = z
  .object({ ref: z.string(), url: z.string(), object: GitObject })
  .meta({ id: 'Reference' });

export const GitTree = z
  .object({
    sha: z.string(),
    url: z.string(),
    tree: z.array(
      z.object({
        path: z.string(),
        mode: z.string(),
        type: z.string(),
        size: z.int(),
        sha: z.string(),
        url: z.string(),
      }),
    ),
    truncated: z.boolean(),
    page: z.int(),
    total_count: z.int(),
  })
  .meta({ id: 'GitTreeResponse' });

export const GitBlob = z
  .object({ content: z.string(), encoding: z.string(), url: z.string(), sha: z.string(), size: z.int() })
  .meta({ id: 'GitBlobResponse' });

/** In a query: true unless said otherwise. */
const unlessOff = queryBoolean.transform((value) => value ?? true);

/** What is shown of commits besides themselves. */
export const ShownQuery = z.object({ stat: unlessOff, files: unlessOff, verification: unlessOff });

export const CommitsQuery = ShownQuery.extend({
  ...PageQuery.shape,
  sha: z.string().default(''),
  path: z.string().default(''),
  not: z.string().default(''),
});

export const TreeQuery = z.object({ recursive: queryBoolean, page: queryInteger, per_page: queryInteger });
