import { parseJson, toJson } from './exact-json.js';
import { asOf } from './moment.js';

const ROOT = new URL('../../../api/v1/', import.meta.url);
const proof = document.querySelector('meta[name=proof]')?.getAttribute('content') ?? '';

/** An error of the API, with the API's message. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @typedef {Readonly<Record<string, string | number | undefined>>} Query */

/**
 * @template T
 * @typedef {{ readonly value: T, readonly total: number }} Page
 */

/**
 * Gets a page of a list as of the moment that the console shows, and the total number of the list's rows.
 *
 * @template T
 * @param {string} path below `/api/v1/`
 * @param {Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Page<T>>}
 */
export async function page(path, query = {}, signal) {
  const { body, headers } = await call('GET', path, { as_of: asOf(), ...query }, undefined, signal);
  return { value: body, total: Number(headers.get('x-total-count') ?? 0) };
}

/**
 * As `page`, for answers that are not pages of a list.
 *
 * @template T
 * @param {string} path
 * @param {Query} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export const get = async (path, query, signal) =>
  /** @type {Page<T>} */ (await page(path, query, signal)).value;

/**
 * Sends a change. Throws while the console shows the past: what can be pressed then is a rest of the present.
 *
 * @param {'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function send(method, path, body) {
  if (asOf() !== undefined) throw new Error('The past cannot be edited.');
  return (await call(method, path, {}, body)).body;
}

/**
 * Builds a path with escaped names: `` at`admin/quota/rules/${name}` ``.
 *
 * @param {TemplateStringsArray} parts
 * @param {string[]} names
 */
export const at = (parts, ...names) => String.raw({ raw: parts }, ...names.map(encodeURIComponent));

/**
 * Tells whether a browser can request a path. It resolves `.` and `..`, percent-encoded or not, to another path.
 *
 * @param {string} path
 */
export const canAsk = (path) => !/(^|\/)\.\.?(\/|$)/.test(path);

/**
 * @param {string} method
 * @param {string} path
 * @param {Query} query
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 */
async function call(method, path, query, body, signal) {
  if (!canAsk(path)) throw new Error('A browser cannot name it: use the API without one.');
  const url = new URL(path, ROOT);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  const response = await fetch(url, {
    method,
    headers: {
      'X-Tallyforge-Proof': proof,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: toJson(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (response.ok) return { body: text === '' ? undefined : parseJson(text), headers: response.headers };
  // The session has ended: a reload leads to the sign-in page, but what was typed for a change would be lost.
  if (response.status === 401 && method !== 'GET')
    throw new ApiError(401, 'You are signed out: reload the page to sign in again.');
  if (response.status === 401) location.reload();
  throw new ApiError(response.status, reason(text) || `the server answered ${response.status}`);
}

/** @param {string} text the body of an error, which may come from a proxy and be no JSON */
function reason(text) {
  try {
    /** @type {{ message?: string } | null} */
    const body = parseJson(text);
    return body?.message;
  } catch {
    return undefined;
  }
}
