import { JSON_TYPE } from '../answers/answer.js';
import type { Context, Middleware } from '../context.js';
import type { Metrics } from '../server/metrics.js';
import type { Readiness } from './readiness.js';

/** Serves `/healthz`, `/readyz` and `/metrics`, for the server's operators: beside the API and without signing in. */
export function systemPages(metrics: Metrics, readiness: Readiness): Middleware {
  const pages: Readonly<Record<string, (ctx: Context) => Promise<void> | void>> = {
    '/healthz'(ctx) {
      sendJson(ctx, { healthy: true });
    },
    async '/readyz'(ctx) {
      const report = await readiness();
      ctx.status = report.ready ? 200 : 503;
      sendJson(ctx, report);
    },
    async '/metrics'(ctx) {
      ctx.type = metrics.registry.contentType;
      ctx.body = await metrics.text();
    },
  };
  return function systemPages(ctx, next) {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    return page && (ctx.method === 'GET' || ctx.method === 'HEAD') ? page(ctx) : next();
  };
}

function sendJson(ctx: Context, value: object): void {
  ctx.type = JSON_TYPE;
  ctx.body = JSON.stringify(value);
}
