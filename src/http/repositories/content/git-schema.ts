import { z } from 'zod';
import { atMost, orNothing, queryBoolean, queryInteger, requiredText } from '../../schema.js';
import { CommitMeta, CommitUser, MAX_MESSAGE, Verification } from './schema.js';

/** CreateTagOption; an empty `target` stands for the default branch. */
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

export const TreeQuery = z.object({ recursive: queryBoolean, page: queryInteger, per_page: queryInteger });
