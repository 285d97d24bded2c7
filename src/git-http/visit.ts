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
import type { Shares } from '../shares.js';
import { bodyOf, type Pace } from './body.js';
import type { GitRequest, GitService } from './route.js';

/** One request of a git client, and with what it is served. */
export interface Visit {
  readonly ctx: Context;
  readonly request: GitRequest;
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly writes: RecentWrites;
  /** The programs that each client may have at a time. */
  readonly shares: Shares;
  /** How slowly bodies may come. */
  readonly pace: Pace;
}

/** Who makes the request, by what it brings along; undefined for nobody. Throws where the account may not sign in. */
export async function callerOf({ ctx, authenticator, services }: Visit): Promise<Caller> {
  const inQuery = tokensInQuery(ctx);
  const credentials = credentialsOf({
    authorization: ctx.req.headers.authorization ?? '',
    parameters: services.config.disableQueryTokens ? undefined : inQuery,
  });
  const [first] = credentials;
  if (!first) return undefined;
  const signIn = authenticator.recall(first) ?? (await authenticator.signIn(credentials, ctx.req));
  if (signIn) checkState(signIn.state);
  return signIn?.principal;
}

/** The body of the request, of `maxBytes` at most. Throws where it is not said to be of the service's protocol. */
export function bodyFor({ ctx, request: { service }, pace }: Visit, maxBytes: number): Readable {
  if (ctx.get('Content-Type') !== `application/x-${service}-request`)
    throw new Refused(415, `the body must be application/x-${service}-request`);
  withoutArrivalLimit(ctx.req);
  return bodyOf(ctx.req, { maxBytes, pace });
}

/** Headers of an answer that nobody may keep: refs move. */
export const headersOf = (
  service: GitService,
  what: 'advertisement' | 'result',
): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  'Content-Type': `application/x-${service}-${what}`,
});
