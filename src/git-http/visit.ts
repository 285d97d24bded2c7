import type { Readable } from 'node:stream';
import type { Authenticator } from '../http/authentication/authenticate.js';
import { credentialsOf } from '../http/authentication/credentials.js';
import type { Caller } from '../http/caller.js';
import { withoutArrivalLimit } from '../http/connections/arrival.js';
import type { Context } from '../http/context.js';
import { checkState, tokensInQuery } from '../http/middleware/authenticate.js';
import type { RecentWrites } from '../http/recent-writes.js';
import { Refused } from '../http/refused.js';
import type { Services } from '../http/services.js';
import type { Shares } from '../git/shares.js';
import { bodyOf, type BodyOptions, type Pace } from './body.js';
import type { GitRequest, GitService } from './route.js';

/** A request of a git client, and what it is served with. */
export interface Visit {
  readonly ctx: Context;
  readonly request: GitRequest;
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly writes: RecentWrites;
  /** Limits how many programs each client may have at a time. */
  readonly shares: Shares;
  /** The least pace at which bodies must arrive; below the speed of an old modem by default. */
  readonly pace?: Pace;
}

/** Returns the caller by the request's credentials; undefined if it has none. Throws if the account may not sign in. */
export async function callerOf({ ctx, authenticator, services }: Visit): Promise<Caller> {
  const inQuery = tokensInQuery(ctx);
  const credentials = credentialsOf({
    authorization: ctx.req.headers.authorization ?? '',
    parameters: services.config.disableQueryTokens ? undefined : inQuery,
  });
  const signIn = await authenticator.signIn(credentials, ctx.req);
  if (signIn) checkState(signIn.state);
  return signIn?.principal;
}

const PACE: Pace = { bytes: 16_384, everyMs: 30_000 };

/**
 * Returns the request's body, limited to `maxBytes`, of which `watch` sees every piece first. Throws if its content type is
 * not that of the service.
 */
export function bodyFor(
  { ctx, request: { service }, pace = PACE }: Visit,
  maxBytes: number,
  watch?: BodyOptions['watch'],
): Readable {
  if (ctx.get('Content-Type') !== `application/x-${service}-request`)
    throw new Refused(415, `the body must be application/x-${service}-request`);
  withoutArrivalLimit(ctx.req);
  return bodyOf(ctx.req, { maxBytes, pace, watch });
}

/** Returns the headers of an answer, which must not be cached because refs move. */
export const headersOf = (
  service: GitService,
  what: 'advertisement' | 'result',
): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  'Content-Type': `application/x-${service}-${what}`,
});
