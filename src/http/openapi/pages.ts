import { createHash } from 'node:crypto';
import { JSON_TYPE } from '../answer.js';
import { below } from '../below.js';
import type { Middleware } from '../context.js';
import { PREFIX } from '../router.js';
import type { Route } from '../route.js';
import { openApi } from './document.js';
import { swagger } from './swagger.js';

/** The API's description, for anybody: each form is made when it is first asked for, and kept. */
export function apiDescription(routes: readonly Route[], config: { readonly baseUrl: string }): Middleware {
  const server = below(config) + PREFIX;
  const pages: Readonly<Record<string, () => Page>> = {
    [`${PREFIX}/openapi.json`]: once(() => pageOf(openApi(routes, server))),
    '/swagger.v1.json': once(() => pageOf(swagger(openApi(routes, server)))),
  };
  return function apiDescription(ctx, next) {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (!page || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const { text, tag } = page();
    ctx.status = 200;
    ctx.set('ETag', tag);
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('Content-Type', JSON_TYPE);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  };
}

interface Page {
  readonly text: string;
  readonly tag: string;
}

function pageOf(document: object): Page {
  const text = JSON.stringify(document);
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
