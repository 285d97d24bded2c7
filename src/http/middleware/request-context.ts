import { randomUUID } from 'node:crypto';
import type { Logger } from '../../logger.js';
import { RequestState, type Context, type Middleware } from '../context.js';
import type { Metrics } from '../metrics.js';

/**
 * Gives each request an id (the client's own `X-Request-Id` where it is a plain word) and sends it back. When the answer
 * is out it is counted, and told in one line (one of level debug for a read that went well), with the path but not the
 * query: a token may stand there. A client that leaves before anything was sent to it got no status.
 */
export function requestContext(logger: Logger, metrics: Metrics): Middleware {
  return function requestContext(ctx, next) {
    const start = performance.now();
    const state = new RequestState(requestIdOf(ctx.get('X-Request-Id')), logger);
    ctx.state = state;
    ctx.res.setHeader('X-Request-Id', state.requestId);
    ctx.res.once('close', () => {
      const ms = performance.now() - start;
      const status = ctx.res.headersSent ? ctx.res.statusCode : undefined;
      // What no route answered has one name, so that strangers add no series.
      metrics.requestAnswered(state.operation ?? 'none', status ?? 'none', ms / 1000);
      logAnswer(logger, ctx, status, ms);
    });
    return next();
  };
}

const requestIdOf = (given: string) => (/^[\w.:-]{1,128}$/.test(given) ? given : randomUUID());

function logAnswer(
  logger: Logger,
  { method, req, res, state }: Context,
  status: number | undefined,
  ms: number,
): void {
  const level = method === 'GET' && status !== undefined && status < 400 ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const [path = ''] = (req.url ?? '').split('?', 1);
  logger[level](
    {
      requestId: state.requestId,
      method,
      path,
      operation: state.operation,
      account: state.signedInAs?.accountId,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(res.writableFinished ? {} : { aborted: true }),
    },
    'request',
  );
}
