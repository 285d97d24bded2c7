import { JSON_TYPE } from '../answers/answer.js';
import { below } from '../server/below.js';
import type { Middleware } from '../context.js';
import { fixedContent, sendFixed, type FixedContent } from '../answers/fixed-content.js';
import { PREFIX } from '../router.js';
import type { Route } from '../route.js';
import { openApi } from './document.js';
import { swagger } from './swagger.js';

/** Serves the API's description to anybody. Each format is made on the first request for it, and kept. */
export function apiDescription(routes: readonly Route[], config: { readonly baseUrl: string }): Middleware {
  const server = below(config) + PREFIX;
  const pages: Readonly<Record<string, () => FixedContent>> = {
    [`${PREFIX}/openapi.json`]: lazily(() => pageOf(openApi(routes, server))),
    '/swagger.v1.json': lazily(() => pageOf(swagger(openApi(routes, server)))),
  };
  return function apiDescription(ctx, next) {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (!page || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    sendFixed(ctx, page());
  };
}

const pageOf = (document: object): FixedContent => fixedContent(JSON_TYPE, JSON.stringify(document));

/** Defers `make` to the first call, and keeps its result. */
const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
