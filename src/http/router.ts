import Router from '@koa/router';
import { notFound } from '../domain/errors.js';
import type { Middleware, RequestState } from './context.js';
import { otherMethod } from './other-method.js';
import type { Route } from './route.js';

export const PREFIX = '/api/v1';

/**
 * Makes one router for each first segment of the routes' paths, so that a request is matched only against its own area's
 * patterns. Throws if two routes have the same id, or the same method and path.
 */
export function routing(routes: readonly Route[], run: (route: Route) => Middleware): Middleware {
  refuseDuplicates(routes);
  const areas = new Map<string, Router<RequestState>>();
  // Fixed segments come before parameters, so that `/repos/search` is not taken for a repository.
  for (const route of [...routes].sort(byShape)) {
    const area = firstPart(route.path);
    let router = areas.get(area);
    if (!router) areas.set(area, (router = new Router<RequestState>({ prefix: PREFIX, sensitive: true })));
    router.register(pattern(route.path), [route.method], run(route));
  }
  const paths = new Map([...areas].map(([area, { stack }]) => [area, byPath(stack)]));
  return function dispatch(ctx, next) {
    const { path } = ctx;
    const area = path.startsWith(`${PREFIX}/`) ? paths.get(firstPart(path.slice(PREFIX.length))) : undefined;
    // Does what the router's own middleware does, but without its support for several routes per request. The first
    // pattern that fits decides, whatever its methods: `issues/comments` is not what `issues/{index}` means.
    const layers = area?.find(([first]) => first?.regexp.test(path));
    if (!layers) throw notFound('route.absent', 'no such route');
    const layer = layers.find(({ methods }) => methods.includes(ctx.method));
    const [handle] = layer?.stack ?? [];
    if (!layer || !handle) {
      const methods = layers.flatMap((each) => each.methods);
      otherMethod(ctx, methods);
      return;
    }
    ctx.state.params = layer.params(path, layer.captures(path));
    return handle(ctx as never, next) as Promise<void>;
  };
}

type Layers = Router<RequestState>['stack'];

/** Puts the layers of each path together, in the order in which the paths are tried. */
const byPath = (stack: Layers): Layers[] =>
  [...new Set(stack.map(({ path }) => path))].map((path) => stack.filter((layer) => layer.path === path));

const firstPart = (path: string) => path.slice(1).split('/', 1)[0] ?? '';

const pattern = (path: string) => path.replace(/\{(\w+)\*\}/g, '*$1').replace(/\{(\w+)\}/g, ':$1');

const shape = (path: string) => path.replace(/\{\w+\*\}/g, '\uffff').replace(/\{\w+\}/g, '\ufffe');

const byShape = (one: Route, other: Route) => (shape(one.path) < shape(other.path) ? -1 : 1);

function refuseDuplicates(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { id, method, path } of routes)
    for (const key of [id, `${method} ${shape(path)}`]) {
      if (seen.has(key)) throw new Error(`two routes for ${key}`);
      seen.add(key);
    }
}
