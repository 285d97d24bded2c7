import type { Client, TestAnswer } from '../../support/client.js';

/** A Repository, as far as tests look into it. */
export interface RepositoryJson {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly owner: { readonly login: string; readonly email: string };
  readonly permissions: { readonly admin: boolean; readonly push: boolean; readonly pull: boolean };
  readonly [field: string]: unknown;
}

export const repositoryOf = ({ json }: TestAnswer) => json as RepositoryJson;

/** Creates a repository; throws unless that succeeds. */
export async function createIn(
  client: Client,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<RepositoryJson> {
  const answer = await client.post(path, body);
  if (answer.status !== 201) throw new Error(`no repository: ${answer.text}`);
  return repositoryOf(answer);
}
