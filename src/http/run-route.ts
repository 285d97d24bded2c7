import type { z } from 'zod';
import { notFound } from '../domain/errors.js';
import { findRepeated } from '../commands/repeated.js';
import type { Position } from '../event-store/event-store.js';
import { GitRepositoryMissing } from '../git/port/errors.js';
import { HandlerRequest, POSITION_HEADER, type RequestCommand } from './actions.js';
import { answerWith, Download, reply, type Answer } from './answer.js';
import { allows } from '../domain/accounts/scopes.js';
import { readFields, readQuery } from './body.js';
import type { Caller } from './caller.js';
import type { Context, Middleware } from './context.js';
import { once } from './idempotency.js';
import { answerTo, isAbsence } from './middleware/errors.js';
import { isMoved, movedTo, namedNow } from './moved.js';
import type { Reads } from './reads.js';
import { NotShownYet, type RecentWrites } from './recent-writes.js';
import { readModelsLate, Refused } from './refused.js';
import type { Route } from './route.js';
import { checked, nothing } from './schema.js';
import { send } from './send.js';
import type { Services } from './services.js';

type Params = Readonly<Record<string, string>>;

/** What requests are carried out with; GET routes read where `reads` says. */
interface Means {
  readonly services: Services;
  readonly writes: RecentWrites;
  readonly reads: Reads;
}

/**
 * What every route goes through, in the order that clients see: scope, who may call, what the path names, who may do
 * that there, query, body, who may change what is there, handler.
 */
export const routeRunner =
  (means: Means): ((route: Route) => Middleware) =>
  (route) =>
    async function runRoute(ctx) {
      const { caller, signedInAs } = ctx.state;
      const { params } = ctx as unknown as { params: Params };
      ctx.state.operation = route.id;
      ctx.state.searches = 500 in route.answers;
      ctx.state.bareAbsence = route.answers[404] === nothing;
      checkScopes(route, caller);
      if (!route.access.afterParent) route.access.admit(caller, { params, parent: undefined });

      const waiting = means.writes.before(signedInAs?.accountId, sentPosition(ctx));
      ctx.state.late = waiting !== undefined && !(await waiting);
      if (ctx.state.late) ctx.set('Preference-Applied', 'respond-async');
      const call = new Call(means, route, ctx, params);
      send(ctx, await (route.method === 'GET' ? call.read() : call.write()));
    };

/** One request to a route, from what its path names to its answer. */
class Call {
  constructor(
    private readonly means: Means,
    private readonly route: Route,
    private readonly ctx: Context,
    /** As the path has them, not yet checked. */
    private readonly params: Params,
  ) {}

  async read(): Promise<Answer | Download> {
    const { services, writes, reads } = this.means;
    const result = await reads(services, (from) => this.#work(new HandlerRequest(from, writes, this.ctx)));
    return result instanceof Download ? result : answerWith(this.route.success, result);
  }

  async write(): Promise<Answer> {
    const { services, writes } = this.means;
    const { vault, config } = services;
    const { answer, command } = await once(this.ctx, vault, this.route.id, config.maxBodyBytes);
    const attempt = (own: Partial<RequestCommand> = {}) =>
      this.#attempt(new HandlerRequest(services, writes, this.ctx, { ...command(), ...own }));
    return answer(async () => {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NotShownYet) || error.wasWaitedFor) throw error;
        if (!(await writes.shown(error.position))) throw error;
        // As if the client had sent it again: it is found to be done, and can be shown.
        return attempt({ repeatable: true });
      }
    });
  }

  /** The answer, with the headers that tell of what was written. */
  async #attempt(request: HandlerRequest): Promise<Answer> {
    const { headers, ...rest } = await this.#answerFor(request);
    return { headers: { ...headers, ...request.written }, ...rest };
  }

  async #answerFor(request: HandlerRequest): Promise<Answer> {
    const { success } = this.route;
    const { attempted } = request.context;
    if (success === 204 && attempted !== undefined && (await this.#wasDone(request, attempted)))
      return answerWith(success, undefined);
    try {
      return answerWith(success, await this.#work(request));
    } catch (error) {
      return this.#refusalFor(error, request);
    }
  }

  /** The answer that a refusal is, to be kept for a repeat of the request; throws any other error. */
  #refusalFor(error: unknown, request: HandlerRequest): Answer {
    if (error instanceof NotShownYet) throw error;
    const refusal = answerTo(error, this.means.services.config.baseUrl);
    if (error instanceof GitRepositoryMissing)
      this.ctx.state.log.warn({ err: error }, 'the repository was deleted just now, or its folder is lost');
    // What it wrote is what it does not find: to say that it is not there would be wrong.
    if (request.unshown !== undefined && (!refusal || refusal.status === 404))
      throw new NotShownYet(request.unshown, error);
    if (!refusal) throw error;
    return refusal;
  }

  /** Whether the stream has the request's command. What its path names may be gone since then, or be another's. */
  async #wasDone(request: HandlerRequest, stream: string): Promise<boolean> {
    const done = await findRepeated(this.means.services.log, stream, request.context);
    if (done) await request.wrote(done);
    return done !== undefined;
  }

  /**
   * What the handler returned, or where the request belongs now. One that was carried out before is answered here: it may
   * be what moved the thing.
   */
  async #work(request: HandlerRequest, params = this.params): Promise<unknown> {
    const { ctx, route } = this;
    try {
      return await this.#handle(request, params);
    } catch (error) {
      if (!isMoved(error)) throw ctx.state.late && isAbsence(error) ? readModelsLate() : error;
      const { attempted } = request.context;
      if (attempted !== undefined && (await this.#wasDone(request, attempted)))
        return this.#work(request, namedNow(params, error));
      const { baseUrl } = this.means.services.config;
      return reply(307, undefined, { Location: movedTo(ctx, route, params, error, baseUrl) });
    }
  }

  async #handle(request: HandlerRequest, params: Params): Promise<unknown> {
    const { route } = this;
    request.params = route.params ? checkedParams(route.params, params) : params;
    if (route.parent) request.parent = await route.parent(request);
    if (route.access.afterParent) route.access.admit(request.caller, { params, parent: request.parent });
    try {
      await this.#readQueryAndBody(request);
    } catch (refusal) {
      await route.exists?.(request);
      throw refusal;
    }
    route.access.admitToChange?.(request.caller, { params, parent: request.parent });
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

/** What is no such parameter names nothing. */
function checkedParams<T>(schema: z.ZodType<T>, params: Params): T {
  const { success, data } = schema.safeParse(params);
  if (!success) throw notFound('route.parameter', 'no such thing');
  return data;
}

function checkScopes({ scopes, method }: Route, caller: Caller): void {
  if (!caller || caller.scopes === 'unlimited') return;
  const level = method === 'GET' ? 'read' : 'write';
  for (const category of scopes)
    if (!allows(caller.scopes, level, category))
      throw new Refused(403, `the token lacks the scope ${level}:${category}`);
}

/** The position that the client wants to be read; undefined where it names none. */
function sentPosition(ctx: Context): Position | undefined {
  const text = ctx.get(POSITION_HEADER);
  return /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}
