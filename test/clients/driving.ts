import { giteaApi } from 'gitea-js';
import { PREFIX } from '../../src/http/router.js';
import { routeAt, undescribed } from '../support/described.js';

export type Gitea = ReturnType<typeof giteaApi>;

/**
 * gitea-js, signed in with a token. The ids of the routes that it calls with success go into `driven`. A call whose answer
 * is not as the API is described fails.
 */
export function drivingClient(baseUrl: string, token: string, driven: Set<string>): Gitea {
  const customFetch: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const method = init?.method ?? 'GET';
    const { pathname } = new URL(new Request(input).url);
    const path = pathname.slice(PREFIX.length);
    const type = answer.headers.get('content-type');
    const surprise = undescribed({
      method,
      path,
      status: answer.status,
      type,
      text: await answer.clone().text(),
    });
    if (surprise !== undefined) throw new Error(surprise);
    const route = routeAt(method, path);
    if (answer.ok && route) driven.add(route.id);
    return answer;
  };
  return giteaApi(baseUrl, { token, customFetch });
}

/** The answer of a call that must be refused. */
export async function refused(
  call: Promise<unknown>,
): Promise<{ status: number; error: { message: string } }> {
  try {
    await call;
  } catch (answer) {
    if (answer instanceof Response) return answer as Response & { error: { message: string } };
    throw answer;
  }
  throw new Error('it was not refused');
}
