/** How a text is read: a page of its own, a document of a repository, or a comment. */
export type MarkdownMode = 'markdown' | 'gfm' | 'comment';

/** What references in a text may become links to: only what was asked for and found. */
export interface KnownReferences {
  /** Lower-case names of accounts that the reader may see. */
  readonly accounts: readonly string[];
  /** Lower-case `organization/team`, of the organization that owns the context repository. */
  readonly teams: readonly string[];
  /** Lower-case `owner/name` of repositories that the reader may see. */
  readonly repositories: readonly string[];
  /** Commits of the context repository, as the text writes them. */
  readonly commits: readonly string[];
}

/** Everything that a rendering depends on; plain data, since it crosses to a worker. */
export interface MarkdownJob {
  readonly text: string;
  readonly mode: MarkdownMode;
  /** The site, without a slash at the end. */
  readonly baseUrl: string;
  /** Where relative links begin, without a slash at the end: an absolute URL, or empty for the root of the site. */
  readonly linkBase: string;
  readonly wiki: boolean;
  /** `owner/name` of the repository in whose context `#1` and commits are meant. */
  readonly repository: string | undefined;
  readonly known: KnownReferences;
}

export const nothingKnown: KnownReferences = { accounts: [], teams: [], repositories: [], commits: [] };
