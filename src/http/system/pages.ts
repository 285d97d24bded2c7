import { JSON_TYPE } from '../answers/answer.js';
import type { Context, Middleware } from '../context.js';
import { servePages } from '../pages.js';
import type { Metrics } from '../server/metrics.js';
import type { Readiness } from './readiness.js';

/** Serves `/healthz`, `/readyz` and `/metrics`, for the server's operators: beside the API and without signing in. */
export function systemPages(metrics: Metrics, readiness: Readiness): Middleware {
  return servePages({
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
  });
}

function sendJson(ctx: Context, value: object): void {
  ctx.type = JSON_TYPE;
  ctx.body = JSON.stringify(value);
}
