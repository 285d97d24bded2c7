import { PREFIX } from '../../src/http/router.js';
import { undescribed, type Answered } from './described.js';

/** What was not as the API is described, each thing once, told when all tests are done. */
const surprises = new Set<string>();

const isOfApi = ({ pathname }: URL) => pathname.startsWith(`${PREFIX}/`);

/** Notes what is not as the API is described in an answer from this address. */
export function compareWithDescription(url: URL, answer: Omit<Answered, 'path'>): void {
  if (!isOfApi(url)) return;
  const path = url.pathname.slice(PREFIX.length) + url.search;
  const surprise = undescribed({ ...answer, path });
  if (surprise !== undefined) surprises.add(surprise);
}

/** Has every answer that comes over `fetch` compared as well, whoever calls: tests, and programs of others. */
const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  const url = new URL(answer.url);
  if (!isOfApi(url)) return answer;
  const { status, headers } = answer;
  const type = headers.get('content-type');
  // Of bytes only the type is described: they may be many, or be left before their end.
  const isRead = type === null || type.includes('json') || ![200, 206].includes(status);
  const text = isRead ? await textOf(answer.clone()) : 'something';
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  if (text !== undefined) compareWithDescription(url, { method, status, type, text });
  return answer;
};

/** Undefined where the connection broke meanwhile. */
const textOf = (answer: Response): Promise<string | undefined> => answer.text().catch(() => undefined);

after('every answer was as the API is described', () => {
  if (surprises.size > 0) throw new Error([...surprises].sort().join('\n'));
});
