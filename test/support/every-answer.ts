import { PREFIX } from '../../src/http/router.js';
import { undescribed } from './described.js';

/** What was not as the API is described, each thing once, told when all tests are done. */
const surprises = new Set<string>();

/**
 * Has every answer of an API that comes over `fetch` compared with its description, whoever calls: clients of the tests,
 * tests themselves, and programs of others such as gitea-js.
 */
const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  const { pathname, search } = new URL(answer.url);
  if (!pathname.startsWith(`${PREFIX}/`)) return answer;
  const { status, headers } = answer;
  const type = headers.get('content-type');
  // Of bytes only the type is described: they may be many, or be left before their end.
  const isRead = type === null || type.includes('json') || ![200, 206].includes(status);
  const text = isRead ? await textOf(answer.clone()) : 'something';
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const path = pathname.slice(PREFIX.length) + search;
  const surprise = text === undefined ? undefined : undescribed({ method, path, status, type, text });
  if (surprise !== undefined) surprises.add(surprise);
  return answer;
};

/** Undefined where the connection broke meanwhile. */
const textOf = (answer: Response): Promise<string | undefined> => answer.text().catch(() => undefined);

after('every answer was as the API is described', () => {
  if (surprises.size > 0) throw new Error([...surprises].sort().join('\n'));
});
