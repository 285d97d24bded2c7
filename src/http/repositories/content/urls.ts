import type { AccountRow } from '../../../queries/accounts/accounts.js';

/** Where a repository is, for people and for programs; without a slash at their ends. */
export interface RepositoryUrls {
  readonly html: string;
  readonly api: string;
}

/** Where a repository is found, in the API and out of it. */
export function urlsOf(
  { owner, name }: { readonly owner: Pick<AccountRow, 'name'>; readonly name: string },
  baseUrl: string,
): RepositoryUrls {
  const place = `${encodeURIComponent(owner.name ?? '')}/${name}`;
  return { html: `${baseUrl}/${place}`, api: `${baseUrl}/api/v1/repos/${place}` };
}

/** A path or the name of a ref as part of a URL, its slashes kept. */
export const inUrl = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
