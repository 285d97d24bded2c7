import { pauseAfter, retryAfterMs } from './back-off.js';
import type { Answer } from './post.js';

/** The status of a delivery after an attempt. */
export type Verdict =
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'pending'; readonly dueAt: Date };

/** Judges the attempt of this number, from 1. It is retried if it may succeed later: no response, 408, 429 and 5xx. */
export function verdictOn(answer: Answer, attempt: number, now: Date, random?: () => number): Verdict {
  if ('response' in answer) {
    const { status, headers } = answer.response;
    if (status >= 200 && status < 300) return { status: 'delivered' };
    if (status !== 408 && status !== 429 && status < 500) return { status: 'failed' };
    return later(attempt, retryAfterMs(headers['retry-after'], now), now, random);
  }
  return answer.lasting ? { status: 'failed' } : later(attempt, 0, now, random);
}

function later(attempt: number, askedForMs: number, now: Date, random?: () => number): Verdict {
  const pause = pauseAfter(attempt, askedForMs, random);
  if (pause === undefined) return { status: 'failed' };
  return { status: 'pending', dueAt: new Date(now.getTime() + pause) };
}
