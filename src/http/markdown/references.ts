import { allows, type ScopeCategory } from '../../domain/accounts/scopes.js';
import type { Git } from '../../git/git.js';
import { candidatesIn } from '../../markdown/candidates.js';
import type { KnownReferences } from '../../markdown/job.js';
import { findMentionable, findMentionableTeams, findReferable } from '../../queries/markdown/references.js';
import type { RepositoryViewer } from '../../queries/repositories/access.js';
import type { Queryable } from '../../database/queryable.js';
import type { Caller } from '../caller.js';
import { viewerOf } from '../repositories/place.js';

/** How many commits of a text are looked up, because each costs a look-up in the repository. */
const MOST_COMMITS = 20;

/** The repository that a text is rendered in, and the references that lead somewhere. */
export interface References {
  /** The repository's name as given by the context; undefined if the caller may not see it. */
  readonly repository: string | undefined;
  readonly known: KnownReferences;
}

/** Finds what a text in a repository's context may link to, as far as the caller may see it. */
export async function referencesIn(
  { db, git, caller }: { readonly db: Queryable; readonly git: Git; readonly caller: Caller },
  text: string,
  context: string | undefined,
): Promise<References> {
  const { accounts, teams, repositories, commits } = candidatesIn(text);
  const here = context?.toLowerCase();
  const owner = here?.split('/', 1)[0] ?? '';
  const own = teams
    .filter((name) => name.startsWith(`${owner}/`))
    .map((name) => name.slice(owner.length + 1));
  const [mentionable, mentionableTeams, referable] = await Promise.all([
    findMentionable(db, accounts, viewerBy(caller, 'user', 'organization')),
    findMentionableTeams(db, owner, own, viewerBy(caller, 'organization')),
    findReferable(
      db,
      [...new Set([...repositories, ...(here === undefined ? [] : [here])])],
      viewerBy(caller, 'repository', 'issue'),
      viewerBy(caller, 'repository'),
    ),
  ]);
  const place = here === undefined ? undefined : referable.get(here);
  const known = place?.reads_code ? await existing(git, place.id, commits.slice(0, MOST_COMMITS)) : [];
  return {
    repository: place === undefined ? undefined : context,
    known: {
      accounts: mentionable,
      teams: place === undefined ? [] : mentionableTeams.map((name) => `${owner}/${name}`),
      repositories: [...referable.keys()],
      commits: known,
    },
  };
}

/**
 * Returns the caller as a viewer. By a token whose scopes read none of these categories, the viewer is told of what is
 * public alone: any token may have texts rendered, and they must not tell it more than the routes of these categories.
 */
function viewerBy(caller: Caller, ...categories: readonly ScopeCategory[]): RepositoryViewer {
  const viewer = viewerOf(caller);
  const scopes = caller?.scopes ?? 'unlimited';
  const reads = scopes === 'unlimited' || categories.some((category) => allows(scopes, 'read', category));
  return { ...viewer, narrow: viewer.narrow || !reads };
}

async function existing(git: Git, id: number, hashes: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    hashes.map(async (hash) => {
      // A branch or tag that looks like a hash, such as a date, is found first: its commit does not count.
      const commit = await git.resolve(id, hash).catch(() => undefined);
      return commit?.hash.startsWith(hash) ? hash : undefined;
    }),
  );
  return found.filter((hash) => hash !== undefined);
}
