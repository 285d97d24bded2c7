import { createHash } from 'node:crypto';
import type { Context } from '../context.js';

/** Content that stays the same while the server runs. */
export interface FixedContent {
  readonly type: string;
  readonly bytes: Buffer | string;
  /** The entity tag, with its quotes. */
  readonly tag: string;
}

/** Makes fixed content; its tag is a hash of the bytes. */
export const fixedContent = (type: string, bytes: Buffer | string): FixedContent => ({
  type,
  bytes,
  tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
});

/**
 * Answers with the content, or with 304 if the client has it already. Clients revalidate each time, so that all their
 * files are of one version of the server.
 */
export function sendFixed(ctx: Context, { type, bytes, tag }: FixedContent): void {
  ctx.status = 200;
  ctx.set({ ETag: tag, 'Cache-Control': 'no-cache', 'Content-Type': type });
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = bytes;
}
