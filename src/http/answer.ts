import type { Readable } from 'node:stream';
import { stringifyJson } from '../json.js';

/** An answer ready to be sent, or kept for a repeat of the request. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body and no content type. */
  readonly body?: string;
}

export const JSON_TYPE = 'application/json;charset=utf-8';

/** A form on another site can make a browser show such an answer as a page of this server: nothing in it may run. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-store',
};

/** JSON that is text already, as PostgreSQL builds it: sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}
/** An answer that is JSON text already, and sent as it is. */
export const json = (text: string): JsonText => new JsonText(text);

/** HTML, sent as it is. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a handler returns to choose the status or headers itself. */
export class Reply {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
/** Another answer than that of success: `body` as JSON, none where it is left out. */
export const reply = (
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => new Reply(status, body, headers);

/** An answer to a read that is no JSON: bytes, or a stream of them. */
export class Download {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly body?: Buffer | Readable,
  ) {}
}

/** The answer for what a handler returned: nothing becomes an empty body, HTML stays, all else JSON. */
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
