import rawBody from 'raw-body';
import { askForBody, isHeld } from '../connections/expectation.js';
import type { Context } from '../context.js';
import { drain } from './drain.js';
import { Refused } from '../refused.js';

/** Reads the body's bytes, once per request. Throws 413 if they are more than `maxBytes`. */
export function readBody(ctx: Context, maxBytes: number): Promise<Buffer> {
  return (ctx.state.rawBody ??= read(ctx, maxBytes));
}

/** How many bytes of memory the bodies of all requests may take together. */
const ROOM_BYTES = 256 * 1024 * 1024;
/** Bodies up to this size, in bytes, are always read. */
const SMALL_BYTES = 64 * 1024;
/** How many bytes the bodies of this process take now. */
let taken = 0;

/**
 * Counts a body's bytes until its request is answered, and rejects with 503 when all bodies exceed the limit, because
 * many clients together could use up the memory: slow ones, and those whose requests wait for something.
 */
function rejectForWantOfRoom({ req, res }: Context, maxBytes: number): Promise<never> {
  const room = Math.max(ROOM_BYTES, 4 * maxBytes);
  let own = 0;
  return new Promise((_, reject) => {
    const count = ({ length }: Buffer) => {
      if (own > maxBytes) return; // such a body is refused, and nothing of it is kept
      own += length;
      taken += length;
      if (taken > room && own > SMALL_BYTES)
        reject(new Refused(503, 'not now, try again', { 'Retry-After': '1' }));
    };
    req.on('data', count);
    // That of the request would come with the body's end.
    res.once('close', () => {
      req.off('data', count);
      taken -= own;
    });
  });
}

/** The error types of clients that hang up before or while their body is read. */
const CUT_OFF = new Set(['request.size.invalid', 'request.aborted', 'stream.not.readable']);

async function read(ctx: Context, maxBytes: number): Promise<Buffer> {
  const length = ctx.req.headers['content-length'];
  if (isHeld(ctx.req) && Number(length) > maxBytes) throw tooLarge(maxBytes);
  askForBody(ctx.req);
  try {
    const whole = rawBody(ctx.req, { limit: maxBytes, ...(length !== undefined && { length }) });
    return await Promise.race([whole, rejectForWantOfRoom(ctx, maxBytes)]);
  } catch (error) {
    const { type } = error as rawBody.RawBodyError;
    if (type === 'entity.too.large') {
      await drain(ctx.req); // if the rest is short, the connection can take another request
      throw tooLarge(maxBytes);
    }
    if (CUT_OFF.has(type)) throw new Refused(400, 'the body ended before its Content-Length');
    throw error;
  }
}

const tooLarge = (maxBytes: number) => new Refused(413, `the body is larger than ${maxBytes} bytes`);
