import type { Readable } from 'node:stream';
import { stringifyJson } from '../../values/json.js';

/** An answer, ready to be sent or kept for repeats of the request. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** If absent, the answer has neither body nor content type. */
  readonly body?: string;
}

export const JSON_TYPE = 'application/json;charset=utf-8';

/** A form on another site can make a browser show such an answer as a page of this server, so nothing in it may run. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** JSON that is already text, as PostgreSQL builds it; sent unchanged. */
export class JsonText {
  constructor(readonly text: string) {}
}
/** Wraps JSON text, so that it is sent unchanged. */
export const json = (text: string): JsonText => new JsonText(text);

/** HTML, sent unchanged. */
export class Html {
  constructor(readonly text: string) {}
}

/** A handler's result that chooses its own status or headers. */
export class Reply {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
/** Makes an answer with another status than that of success: `body` is sent as JSON, none if it is left out. */
export const reply = (
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => new Reply(status, body, headers);

/** An answer to a read that is not JSON: bytes, or a stream of them. */
export class Download {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly body?: Buffer | Readable,
  ) {}
}

/** Turns a handler's result into an answer: undefined becomes an empty body, HTML stays, everything else becomes JSON. */
export function answerWith(status: number, result: unknown): Answer {
  if (result instanceof Reply) {
    const { headers, ...answer } = answerWith(result.status, result.body);
    return { headers: { ...headers, ...result.headers }, ...answer };
  }
  if (result === undefined) return { status, headers: {} };
  if (result instanceof Html) return { status, headers: HTML_HEADERS, body: result.text };
  return {
    status,
    headers: { 'Content-Type': JSON_TYPE },
    body: result instanceof JsonText ? result.text : stringifyJson(result),
  };
}
