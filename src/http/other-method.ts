import type { Answer } from './answers/answer.js';
import { send } from './answers/send.js';
import type { Context } from './context.js';
import { problemAnswer } from './middleware/errors.js';

/** Answers a request whose path has other methods: OPTIONS with what these are, anything else with 405. */
export function otherMethod(ctx: Context, methods: readonly string[]): void {
  const allow = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
  const told: Answer = { status: 204, headers: allow };
  send(ctx, ctx.method === 'OPTIONS' ? told : problemAnswer(405, `only ${allow.Allow}`, allow));
}
