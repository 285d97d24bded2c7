import type { z } from 'zod';
import { findRepeated } from '../commands/repeated.js';
import { GitRepositoryMissing } from '../git/port/errors.js';
import { HandlerRequest, type RequestCommand } from './handler-request.js';
import { answerWith, Download, reply, type Answer } from './answers/answer.js';
import { allows } from '../domain/accounts/scopes.js';
import { readFields, readQuery } from './body/fields.js';
import type { Caller } from './caller.js';
import type { Context, Middleware, PathParameters } from './context.js';
import { once } from './idempotency.js';
import { answerTo, isAbsence } from './middleware/errors.js';
import { hasNul, namesNothing } from './middleware/normalise-path.js';
import { isMoved, movedTo, namedNow, refuseToTell } from './moved.js';
import type { Reads } from './reads.js';
import { NotShownYet, type RecentWrites } from './recent-writes.js';
import { readModelsLate, Refused } from './refused.js';
import type { Route } from './route.js';
import { checked, nothing } from './schema.js';
import { send } from './answers/send.js';
import type { Services } from './services.js';

/** What the runner needs to carry out requests; `reads` decides where requests that change nothing read from. */
interface Means {
  readonly services: Services;
  readonly writes: RecentWrites;
  readonly reads: Reads;
}

/**
 * Makes the middleware of a route. It checks a request in the order that clients see: scope, caller, what the path
 * names, the caller's rights there, query, body, the right to change what was found; then it runs the handler.
 */
export const routeRunner =
  (means: Means): ((route: Route) => Middleware) =>
  (route) =>
    async function runRoute(ctx) {
      const { caller, signedInAs, params } = ctx.state;
      ctx.state.operation = route.id;
      ctx.state.searches = 500 in route.answers;
      ctx.state.bareAbsence = route.answers[404] === nothing;
      checkScopes(route, caller);
      if (!route.access.afterParent) route.access.admit(caller, { params, parent: undefined });

      if ((await means.writes.before(signedInAs?.accountId)) === false) ctx.state.late = true;
      if (ctx.state.late) ctx.set('Preference-Applied', 'respond-async');
      const call = new Call(means, route, ctx);
      const changesNothing = route.method === 'GET' || route.changesNothing;
      send(ctx, await (changesNothing ? call.read() : call.write()));
    };

/** One request to a route, from finding what its path names to its answer. */
class Call {
  constructor(
    private readonly means: Means,
    private readonly route: Route,
    private readonly ctx: Context,
  ) {}

  async read(): Promise<Answer | Download> {
    const { services, writes, reads } = this.means;
    const result = await reads(services, (from) => this.#work(new HandlerRequest(from, writes, this.ctx)));
    return result instanceof Download ? result : answerWith(this.route.success, result);
  }

  async write(): Promise<Answer> {
    const { services, writes } = this.means;
    const { answer, command } = await once(this.ctx, services, this.route);
    const attempt = (own: Partial<RequestCommand> = {}) =>
      this.#attempt(new HandlerRequest(services, writes, this.ctx, { ...command(), ...own }));
    return answer(async () => {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NotShownYet) || error.wasWaitedFor) throw error;
        if (!(await writes.shown(error.position))) throw error;
        // As if the client had repeated the request: its command is found to be done, and the answer can now be read.
        return attempt({ repeatable: true });
      }
    });
  }

  /** Runs the handler once and adds the headers that tell the client about its writes. */
  async #attempt(request: HandlerRequest): Promise<Answer> {
    const { headers, ...rest } = await this.#answerFor(request);
    return { headers: { ...headers, ...request.written }, ...rest };
  }

  async #answerFor(request: HandlerRequest): Promise<Answer> {
    const { success } = this.route;
    request.wasDone = await this.#wasDone(request);
    if (success === 204 && request.wasDone) return answerWith(success, undefined);
    try {
      return answerWith(success, await this.#work(request));
    } catch (error) {
      return this.#refusalFor(error, request);
    }
  }

  /** Returns a refusal's answer, which is kept for repeats of the request; rethrows any other error. */
  #refusalFor(error: unknown, request: HandlerRequest): Answer {
    if (error instanceof NotShownYet) throw error;
    const refusal = answerTo(error, this.means.services.config.baseUrl);
    if (error instanceof GitRepositoryMissing)
      this.ctx.state.log.warn({ err: error }, 'the repository was deleted just now, or its folder is lost');
    // The request wrote something and then did not find it, because the read models are late: 404 would be wrong.
    if (request.unshown !== undefined && (!refusal || refusal.status === 404))
      throw new NotShownYet(request.unshown, error);
    if (!refusal) throw error;
    return refusal;
  }

  /**
   * Tells whether the log holds the request's command, so that it need not run again: what its path names may be gone
   * since, or belong to somebody else.
   */
  async #wasDone(request: HandlerRequest): Promise<boolean> {
    const { attempted } = request;
    if (attempted === undefined) return false;
    const done = await findRepeated(this.means.services.log, attempted, request.context);
    if (done) await request.wrote(done);
    return done !== undefined;
  }

  /**
   * Returns the handler's result, or a 307 to the new path if the account or repository was renamed. A request that was
   * carried out before is run under the new name, because it may itself be what did the renaming.
   */
  async #work(request: HandlerRequest, params = this.ctx.state.params): Promise<unknown> {
    const { ctx, route } = this;
    try {
      return await this.#handle(request, params);
    } catch (error) {
      if (!isMoved(error)) throw this.#mayJustBeLate(error, request) ? readModelsLate() : error;
      if (request.wasDone) return this.#work(request, namedNow(params, error));
      // Below `/admin` such a token reaches all users.
      if (route.scope !== 'admin') refuseToTell(error, ctx.state.caller);
      const { baseUrl } = this.means.services.config;
      return reply(307, undefined, { Location: movedTo(ctx, route, params, error, baseUrl) });
    }
  }

  /** Tells whether something was not found that the caller may have written just before, but not in this request. */
  #mayJustBeLate(error: unknown, { unshown }: HandlerRequest): boolean {
    return this.ctx.state.late && unshown === undefined && isAbsence(error);
  }

  async #handle(request: HandlerRequest, params: PathParameters): Promise<unknown> {
    const { ctx, route } = this;
    if (hasNul(ctx.path)) throw namesNothing();
    request.params = route.params ? checkedParams(route.params, params) : params;
    if (route.parent) request.parent = await route.parent(request);
    const { parent, wasDone } = request;
    if (route.access.afterParent) route.access.admit(request.caller, { params, parent, wasDone });
    try {
      await this.#readQueryAndBody(request);
    } catch (refusal) {
      await route.exists?.(request);
      throw refusal;
    }
    route.access.admitToChange?.(request.caller, { params, parent, wasDone });
    return route.handle(request);
  }

  async #readQueryAndBody(request: HandlerRequest): Promise<void> {
    const { query, body, readBody = readFields } = this.route;
    if (query) request.query = readQuery(this.ctx, query);
    if (!body) return;
    const fields = await readBody(this.ctx, body, this.means.services.config.maxBodyBytes);
    request.body = checked(body, fields);
  }
}

/** Checks the path's parameters. Throws 404 if one is malformed, because it then names nothing. */
function checkedParams<T>(schema: z.ZodType<T>, params: PathParameters): T {
  const { success, data } = schema.safeParse(params);
  if (!success) throw namesNothing();
  return data;
}

function checkScopes({ scopes, method }: Route, caller: Caller): void {
  if (!caller || caller.scopes === 'unlimited') return;
  const level = method === 'GET' ? 'read' : 'write';
  for (const category of scopes)
    if (!allows(caller.scopes, level, category))
      throw new Refused(403, `the token lacks the scope ${level}:${category}`);
}
