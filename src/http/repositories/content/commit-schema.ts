import { z } from 'zod';
import { User } from '../../accounts/schema.js';
import { PageQuery } from '../../answers/paging.js';
import { queryBoolean } from '../../schema.js';
import { CommitMeta, CommitUser, Verification } from './schema.js';

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
    stats: z
      .object({ total: z.int(), additions: z.int(), deletions: z.int() })
      .meta({ id: 'CommitStats' })
      .nullable(),
  })
  .meta({ id: 'Commit' });

/** The changes of a commit as git writes them, where `.diff` or `.patch` follows its name. */
export const ChangesText = z.string().meta({ id: 'ChangesText', contentMediaType: 'text/plain' });

/** A query's boolean that is true by default. */
const unlessOff = queryBoolean.transform((value) => value ?? true);

/** Which details of commits to show. */
export const ShownQuery = z.object({ stat: unlessOff, files: unlessOff, verification: unlessOff });

export const CommitsQuery = ShownQuery.extend({
  ...PageQuery.shape,
  sha: z.string().default(''),
  path: z.string().default(''),
  not: z.string().default(''),
});
