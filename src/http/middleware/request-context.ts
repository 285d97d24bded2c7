import { randomUUID } from 'node:crypto';
import type { Logger } from '../../logging/logger.js';
import { RequestState, type Context, type Middleware } from '../context.js';
import type { Metrics } from '../server/metrics.js';

/**
 * Gives each request an id, which is the client's own `X-Request-Id` if that is a plain word, and sends it back. Once the
 * answer is sent, counts it and logs one line, at level debug for a successful read. The line has the path but not the
 * query, because that may hold a token. A client that leaves before anything was sent to it got no status.
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
      // Requests that match no route share one name, so that strangers cannot add series.
      metrics.requestAnswered(state.operation ?? 'none', status ?? 'none', ms / 1000);
      logAnswer(logger, ctx, status, ms);
    });
    return next();
  };
}

/** Error codes of clients that hang up before they have the whole answer. They may, so this is logged at level debug. */
const HUNG_UP: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECANCELED',
]);

/** Returns what to call with the error that cut an answer short, and its request. The pages of the system have no id. */
export const unsent =
  (logger: Logger) =>
  (error: NodeJS.ErrnoException, { state }: { readonly state: Partial<RequestState> }): void => {
    const level = HUNG_UP.has(error.code ?? '') ? 'debug' : 'error';
    (state.log ?? logger)[level]({ err: error }, 'an answer could not be sent');
  };

const requestIdOf = (given: string) => (/^[\w.:-]{1,128}$/.test(given) ? given : randomUUID());

function logAnswer(
  logger: Logger,
  { method, req, res, state }: Context,
  status: number | undefined,
  ms: number,
): void {
  const isRead = method === 'GET' || method === 'HEAD';
  const level = isRead && status !== undefined && status < 400 ? 'debug' : 'info';
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
