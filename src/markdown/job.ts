/** How a text is read: as a page of its own, a document of a repository, or a comment. */
export type MarkdownMode = 'markdown' | 'gfm' | 'comment';

/** The references that become links: only those that were looked up and found. */
export interface KnownReferences {
  /** Lower-case names of accounts that the reader may see. */
  readonly accounts: readonly string[];
  /** Lower-case `organization/team`, of the organization that owns the context repository. */
  readonly teams: readonly string[];
  /** Lower-case `owner/name` of repositories that the reader may see. */
  readonly repositories: readonly string[];
  /** Commits of the context repository, in the notation of the text. */
  readonly commits: readonly string[];
}

/** Everything that a rendering depends on. Plain data, because it is sent to a worker thread. */
export interface MarkdownJob {
  readonly text: string;
  readonly mode: MarkdownMode;
  /** The URL of the site, without a trailing slash. */
  readonly baseUrl: string;
  /** The base of relative links, without a trailing slash: an absolute URL, or empty for the root of the site. */
  readonly linkBase: string;
  readonly wiki: boolean;
  /** `owner/name` of the context repository, to which `#1` and commits refer. */
  readonly repository: string | undefined;
  readonly known: KnownReferences;
}

export const nothingKnown: KnownReferences = { accounts: [], teams: [], repositories: [], commits: [] };
