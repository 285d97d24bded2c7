import type { AccountRow } from '../../../queries/accounts/accounts.js';

/** A repository's addresses, for people and for programs, without a slash at the end. */
export interface RepositoryUrls {
  readonly html: string;
  readonly api: string;
}

/** Returns a repository's addresses, outside and inside the API. */
export function urlsOf(
  { owner, name }: { readonly owner: Pick<AccountRow, 'name'>; readonly name: string },
  baseUrl: string,
): RepositoryUrls {
  const place = `${encodeURIComponent(owner.name ?? '')}/${name}`;
  return { html: `${baseUrl}/${place}`, api: `${baseUrl}/api/v1/repos/${place}` };
}

/** Escapes a path or a ref's name for a URL, keeping its slashes. */
export const inUrl = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
