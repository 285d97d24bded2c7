import type { z } from 'zod';
import type { Access } from './access.js';
import type { Actions } from './actions.js';
import type { ScopeCategory } from '../domain/accounts/scopes.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** The methods of routes; HEAD and OPTIONS follow from them. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What each status answers with; the lowest one below 300 is that of success. */
export type Answers = Readonly<Record<number, z.ZodType>>;

/** What a handler is given: the request, checked, and what it may do. */
export type RouteRequest<C, Params, Query, Body, Parent> = Actions & {
  readonly caller: C;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly parent: Parent;
};

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}*` ? Plain : Name) | NamesIn<Rest>
  : never;

/** The parameters that a path names, each as text. */
export type PathParams<Path extends string> = Readonly<Record<NamesIn<Path>, string>>;

/** A route declared whole: routers, documents and tests of rights are made from it. */
export interface RouteDeclaration<C extends Caller, Path extends `/${string}`, Params, Query, Body, Parent> {
  /** The operation id. */
  readonly id: string;
  readonly method: Method;
  /** Below `/api/v1`; `{name}` is one part of the path, `{name*}` one or more, slashes included. */
  readonly path: Path;
  /** What a token must be allowed, all of it; the method decides between reading and writing. */
  readonly scope: ScopeCategory | 'none' | readonly ScopeCategory[];
  /** For paths with parameters that are more than text; all of them are then named. Whatever fails here is 404. */
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** Finds what the path names, before anything is said about query and body. */
  readonly parent?: (
    place: Pick<Actions, 'context' | 'db' | 'find' | 'services'> & {
      caller: Caller;
      params: NoInfer<Params>;
    },
  ) => Promise<Parent>;
  readonly access: Access<C, NoInfer<Parent>>;
  /**
   * Throws 404 where what the path names below its parent is not there. The handler finds that out by itself; this is asked
   * only where a query or body is about to be refused, since 404 wins.
   */
  readonly exists?: (
    request: Omit<RouteRequest<C, NoInfer<Params>, unknown, unknown, NoInfer<Parent>>, 'query' | 'body'>,
  ) => Promise<unknown>;
  readonly body?: z.ZodType<Body>;
  /** How the body is read, to be checked against `body`; as fields where this is absent. */
  readonly readBody?: (ctx: Context, schema: z.ZodType, maxBytes: number) => Promise<unknown>;
  readonly answers: Answers;
  /** What is returned is the body of success; `reply` chooses otherwise. */
  readonly handle: (request: RouteRequest<C, NoInfer<Params>, Query, Body, Parent>) => unknown;
}

/** A route of any types, as the routers, the API document and the tests see it. */
export type Route = Omit<
  RouteDeclaration<Caller, `/${string}`, Readonly<Record<string, unknown>>, unknown, unknown, unknown>,
  'handle' | 'access' | 'parent' | 'exists'
> & {
  readonly success: number;
  readonly scopes: readonly ScopeCategory[];
  readonly access: Access;
  readonly parent?: (
    place: Pick<Actions, 'context' | 'db' | 'find' | 'services'> & { caller: Caller; params: unknown },
  ) => Promise<unknown>;
  readonly exists?: (
    request: Omit<RouteRequest<unknown, unknown, unknown, unknown, unknown>, 'query' | 'body'>,
  ) => Promise<unknown>;
  readonly handle: (request: RouteRequest<unknown, unknown, unknown, unknown, unknown>) => unknown;
};

/** Declares a route. Throws where it does not say who may call it, with which scope, or what it answers. */
export function route<
  C extends Caller,
  Path extends `/${string}`,
  Params = PathParams<Path>,
  Query = undefined,
  Body = undefined,
  Parent = undefined,
>(declaration: RouteDeclaration<C, Path, Params, Query, Body, Parent>): Route {
  const { id, access, scope, answers } = declaration as Partial<typeof declaration>;
  const success = Math.min(
    ...Object.keys(answers ?? {})
      .map(Number)
      .filter((status) => status < 300),
  );
  if (!access) throw new Error(`route ${id} does not say who may call it`);
  if (!scope) throw new Error(`route ${id} does not say which scope it needs`);
  if (!Number.isFinite(success)) throw new Error(`route ${id} does not say what it answers`);
  const scopes = scope === 'none' ? [] : [scope].flat();
  return { ...(declaration as unknown as Route), success, scopes };
}
