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

/**
 * What every route goes through, in the order that clients see: scope, who may call, what the path names, who may do
 * that there, query, body, who may change what is there, handler.
 */
export function routeRunner(
  services: Services,
  writes: RecentWrites,
  reads: Reads,
): (route: Route) => Middleware {
  const { vault, config } = services;

  return (route) =>
    async function runRoute(ctx) {
      const { caller, signedInAs } = ctx.state;
      const { params } = ctx as unknown as { params: Params };
      ctx.state.operation = route.id;
      ctx.state.searches = 500 in route.answers;
      ctx.state.bareAbsence = route.answers[404] === nothing;
      checkScopes(route, caller);
      if (!route.access.afterParent) route.access.admit(caller, { params, parent: undefined });

      const waiting = writes.before(signedInAs?.accountId, sentPosition(ctx));
      ctx.state.late = waiting !== undefined && !(await waiting);
      if (ctx.state.late) ctx.set('Preference-Applied', 'respond-async');
      if (route.method === 'GET') send(ctx, await read(ctx, route, params));
      else send(ctx, await write(ctx, route, params));
    };

  async function read(ctx: Context, route: Route, params: Params): Promise<Answer | Download> {
    const result = await reads.run(services, (from) =>
      work(ctx, route, params, new HandlerRequest(from, writes, ctx)),
    );
    return result instanceof Download ? result : answerWith(route.success, result);
  }

  async function write(ctx: Context, route: Route, params: Params): Promise<Answer> {
    const { answer, command } = await once(ctx, vault, route.id, config.maxBodyBytes);
    const requestOf = (own: Partial<RequestCommand> = {}) =>
      new HandlerRequest(services, writes, ctx, { ...command(), ...own });
    return answer(async () => {
      try {
        return await attempt(ctx, route, params, requestOf());
      } catch (error) {
        if (!(error instanceof NotShownYet) || error.wasWaitedFor) throw error;
        if (!(await writes.shown(error.position))) throw error;
        // As if the client had sent it again: it is found to be done, and can be shown.
        return attempt(ctx, route, params, requestOf({ repeatable: true }));
      }
    });
  }

  /** Whether the stream has the request's command. What its path names may be gone since then, or be another's. */
  async function wasDone(request: HandlerRequest, stream: string): Promise<boolean> {
    const done = await findRepeated(services.log, stream, request.context);
    if (done) await request.wrote(done.position);
    return done !== undefined;
  }

  /** A refusal is an answer, to be kept for a repeat of the request. */
  async function attempt(
    ctx: Context,
    route: Route,
    params: Params,
    request: HandlerRequest,
  ): Promise<Answer> {
    const { headers, ...rest } = await resultOf(ctx, route, params, request);
    return { headers: { ...headers, ...request.written }, ...rest };
  }

  async function resultOf(
    ctx: Context,
    route: Route,
    params: Params,
    request: HandlerRequest,
  ): Promise<Answer> {
    const { attempted } = request.context;
    if (route.success === 204 && attempted !== undefined && (await wasDone(request, attempted)))
      return answerWith(route.success, undefined);
    try {
      return answerWith(route.success, await work(ctx, route, params, request));
    } catch (error) {
      if (error instanceof NotShownYet) throw error;
      const refusal = answerTo(error, config.baseUrl);
      if (error instanceof GitRepositoryMissing)
        ctx.state.log.warn({ err: error }, 'the repository was deleted just now, or its folder is lost');
      // What it wrote is what it does not find: to say that it is not there would be wrong.
      if (request.unshown !== undefined && (!refusal || refusal.status === 404))
        throw new NotShownYet(request.unshown, error);
      if (!refusal) throw error;
      return refusal;
    }
  }

  /**
   * What the handler returned, or where the request belongs now. One that was carried out before is answered here: it may
   * be what moved the thing.
   */
  async function work(ctx: Context, route: Route, params: Params, request: HandlerRequest): Promise<unknown> {
    try {
      return await handled(ctx, route, params, request);
    } catch (error) {
      if (!isMoved(error)) throw ctx.state.late && isAbsence(error) ? readModelsLate() : error;
      const { attempted } = request.context;
      if (attempted !== undefined && (await wasDone(request, attempted)))
        return work(ctx, route, namedNow(params, error), request);
      return reply(307, undefined, { Location: movedTo(ctx, route, params, error, config.baseUrl) });
    }
  }

  async function handled(
    ctx: Context,
    route: Route,
    params: Params,
    request: HandlerRequest,
  ): Promise<unknown> {
    request.params = route.params && named(route.params, params);
    if (route.parent) request.parent = await route.parent(request);
    if (route.access.afterParent) route.access.admit(request.caller, { params, parent: request.parent });
    try {
      await readAsked(ctx, route, request);
    } catch (refusal) {
      await route.exists?.(request);
      throw refusal;
    }
    route.access.admitToChange?.(request.caller, { params, parent: request.parent });
    return route.handle(request);
  }

  async function readAsked(ctx: Context, route: Route, request: HandlerRequest): Promise<void> {
    if (route.query) request.query = readQuery(ctx, route.query);
    if (route.body)
      request.body = checked(
        route.body,
        await (route.readBody ?? readFields)(ctx, route.body, config.maxBodyBytes),
      );
  }
}

function named<T>(schema: z.ZodType<T>, params: Params): T {
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

function sentPosition(ctx: Context): Position | undefined {
  const text = ctx.get(POSITION_HEADER);
  if (text === '') return undefined;
  return /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}
