import type { Answer, Download } from './answer.js';
import type { Context } from '../context.js';

/** Puts an answer into Koa's response. */
export function send(ctx: Context, { status, headers, body }: Answer | Download): void {
  ctx.status = status;
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '');
  ctx.body = body ?? null;
  if (body === undefined) ctx.status = status; // again, because Koa sets 204 for a null body
}
