import type { MarkdownJob, MarkdownMode } from '../../src/markdown/job.js';

/** A text in the repository `owner/repo` of the site `http://host`. */
export const jobFor = (
  text: string,
  mode: MarkdownMode = 'gfm',
  changes: Partial<MarkdownJob> = {},
): MarkdownJob => ({
  text,
  mode,
  baseUrl: 'http://host',
  linkBase: 'http://host/owner/repo',
  wiki: false,
  repository: 'owner/repo',
  known: {
    accounts: ['ann'],
    teams: ['owner/smiths'],
    repositories: ['a/b', 'owner/repo'],
    commits: ['abcdef1234567'],
  },
  ...changes,
});
