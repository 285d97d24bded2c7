import type { Dispatcher } from 'undici';
import { AddressRefused } from '../outgoing/guarded-connect.js';
import { undici } from '../outgoing/undici.js';
import type { HookRequest } from './request.js';

/** A receiver's response, whatever its status. The values of a repeated header are joined. */
export interface HookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its first 64 KiB. */
  readonly body: string;
}

/** The result of a request: a response, or the reason why there was none. */
export type Answer =
  | { readonly response: HookResponse }
  | {
      readonly error: string;
      /** Whether a retry would fail the same way. */
      readonly lasting: boolean;
    };

/** Sends one request; never rejects. */
export type Post = (hookRequest: HookRequest) => Promise<Answer>;

/** The timeout of an attempt as a whole. */
export const TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 65_536;

/**
 * Returns a function that posts requests; `dispatcher` is called for each. The timeout includes reading the response's
 * body; redirects are not followed.
 */
export const poster =
  (dispatcher: () => Dispatcher, timeoutMs: number): Post =>
  async ({ url, headers, body }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const asked = undici().request(url, {
        method: 'POST',
        dispatcher: dispatcher(),
        headers,
        body,
        signal,
      });
      const answer = await Promise.race([asked, aborted(signal)]); // a request that is not connected yet ignores the signal
      return {
        response: {
          status: answer.statusCode,
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
          ),
          body: await beginningOf(answer.body),
        },
      };
    } catch (error) {
      if (signal.aborted) return { error: `no answer within ${timeoutMs / 1000} s`, lasting: false };
      return { error: messageOf(error), lasting: isLasting(error) };
    }
  };

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/** Reads the beginning of a body, up to the limit. If the connection breaks, keeps what has arrived: the status counts. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BODY_BYTES) break; // which closes the connection
    }
  } catch {
    // What has come is kept.
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString();
}

const isLasting = (error: unknown): boolean =>
  error instanceof AddressRefused ||
  error instanceof TypeError ||
  (error as NodeJS.ErrnoException).code === 'UND_ERR_INVALID_ARG';

function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'the connection failed');
}
