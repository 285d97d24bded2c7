import { createHash } from 'node:crypto';
import type { Context } from './context.js';

/** What stays the same while the server runs. */
export interface FixedContent {
  readonly type: string;
  readonly bytes: Buffer | string;
  /** An entity tag, in its quotes. */
  readonly tag: string;
}

/** The content with its tag, which is made of the bytes. */
export const fixedContent = (type: string, bytes: Buffer | string): FixedContent => ({
  type,
  bytes,
  tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
});

/**
 * Answers with the content, or 304 to a client that has it. Clients ask each time whether theirs is the newest, so that all
 * they have is of one version of the server.
 */
export function sendFixed(ctx: Context, { type, bytes, tag }: FixedContent): void {
  ctx.status = 200;
  ctx.set({ ETag: tag, 'Cache-Control': 'no-cache', 'Content-Type': type });
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = bytes;
}
