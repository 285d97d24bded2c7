import type { Context, Middleware } from '../context.js';
import type { Position } from '../../event-store/event-store.js';
import { POSITION_HEADER, type RecentWrites } from '../recent-writes.js';

/**
 * Waits until the read models show the position that the client sent: before anybody signs in, because the account, or
 * what it may do, may be as new as that.
 */
export const awaitSentPosition = (writes: RecentWrites): Middleware =>
  async function awaitSentPosition(ctx, next) {
    const position = sentPosition(ctx);
    if (position !== undefined) ctx.state.late = !(await writes.sent(position));
    await next();
  };

/** Returns the position that the client requires its reads to include; undefined if it sent none. */
function sentPosition(ctx: Context): Position | undefined {
  const text = ctx.get(POSITION_HEADER);
  return /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}
