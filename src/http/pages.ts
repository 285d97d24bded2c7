import type { Context, Middleware } from './context.js';
import { otherMethod } from './other-method.js';

/** Pages beside the API's routes, by their path. They can only be read. */
type Pages = Readonly<Record<string, (ctx: Context) => Promise<void> | void>>;

/** Serves pages, answers what would write to one with 405, and passes on what is none of them. */
export function servePages(pages: Pages): Middleware {
  return function servePages(ctx, next) {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (!page) return next();
    if (READING.includes(ctx.method)) return page(ctx);
    otherMethod(ctx, READING);
    return undefined;
  };
}

const READING = ['GET', 'HEAD'];
