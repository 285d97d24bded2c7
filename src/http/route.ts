import type { z } from 'zod';
import type { Access } from './access.js';
import type { Actions } from './actions.js';
import type { ScopeCategory } from '../domain/accounts/scopes.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** The methods that routes declare; HEAD and OPTIONS follow from them. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The schema of each status's body; the lowest status below 300 is that of success. */
export type Answers = Readonly<Record<number, z.ZodType>>;

/** What a handler receives: the checked request, and the actions it may take. */
export type RouteRequest<C, Params, Query, Body, Parent> = Actions & {
  readonly caller: C;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly parent: Parent;
};

/** What is known of a request once its path and its caller are. */
type PlaceRequest<Params> = Pick<Actions, 'context' | 'db' | 'find' | 'services' | 'wasDone'> & {
  readonly caller: Caller;
  readonly params: Params;
};

/** What is known of a request once what its path names was found. */
type FoundRequest<C, Params, Parent> = Omit<
  RouteRequest<C, Params, unknown, unknown, Parent>,
  'query' | 'body'
>;

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}*` ? Plain : Name) | NamesIn<Rest>
  : never;

/** The parameters in a path pattern, each as text. */
export type PathParams<Path extends string> = Readonly<Record<NamesIn<Path>, string>>;

/** A route's declaration, from which the router, the API document and the authorisation tests are made. */
export interface RouteDeclaration<C extends Caller, Path extends `/${string}`, Params, Query, Body, Parent> {
  /** The operation id. */
  readonly id: string;
  readonly method: Method;
  /** Of a POST that only reads, as a rendering does: it is carried out as a GET is, and no answer is kept. */
  readonly changesNothing?: true;
  /** Of another spelling of a path: the operation at the first one, and what a URL is in that. */
  readonly spells?: { readonly id: string; readonly url: (url: string) => string };
  /** The path below `/api/v1`. `{name}` matches one segment, `{name*}` one or more including their slashes. */
  readonly path: Path;
  /** The scopes that a token must have, all of them; the method decides between read and write. */
  readonly scope: ScopeCategory | 'none' | readonly ScopeCategory[];
  /** For paths with parameters other than plain text; must then name all of them. A parameter that fails it gets 404. */
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** Finds what the path names, before query and body are checked. Its result is `parent` of the request. */
  readonly parent?: (place: PlaceRequest<NoInfer<Params>>) => Promise<Parent>;
  readonly access: Access<C, NoInfer<Parent>>;
  /**
   * Throws 404 if what the path names below its parent does not exist. The handler checks that too; `exists` is called
   * only when the query or body is about to be refused, because 404 takes precedence.
   */
  readonly exists?: (request: FoundRequest<C, NoInfer<Params>, NoInfer<Parent>>) => Promise<unknown>;
  readonly body?: z.ZodType<Body>;
  /** Reads the body, which is then checked against `body`; by default it is read as fields of JSON or of a form. */
  readonly readBody?: (ctx: Context, schema: z.ZodType, maxBytes: number) => Promise<unknown>;
  readonly answers: Answers;
  /** Handles the request. The result is the body of success, unless it is a `Reply` that chooses another status. */
  readonly handle: (request: RouteRequest<C, NoInfer<Params>, Query, Body, Parent>) => unknown;
}

/** A route with its type parameters erased, as the routers, the API document and the tests use it. */
export type Route = Omit<
  RouteDeclaration<Caller, `/${string}`, Readonly<Record<string, unknown>>, unknown, unknown, unknown>,
  'handle' | 'access' | 'parent' | 'exists'
> & {
  readonly success: number;
  readonly scopes: readonly ScopeCategory[];
  readonly access: Access;
  readonly parent?: (place: PlaceRequest<unknown>) => Promise<unknown>;
  readonly exists?: (request: FoundRequest<unknown, unknown, unknown>) => Promise<unknown>;
  readonly handle: (request: RouteRequest<unknown, unknown, unknown, unknown, unknown>) => unknown;
};

/** Declares a route. Throws if the declaration lacks its access rule, its scope or the status of success. */
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
