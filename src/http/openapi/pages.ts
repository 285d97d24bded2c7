import { JSON_TYPE } from '../answers/answer.js';
import { below } from '../server/below.js';
import type { Context, Middleware } from '../context.js';
import { fixedContent, sendFixed, type FixedContent } from '../answers/fixed-content.js';
import { servePages } from '../pages.js';
import { PREFIX } from '../router.js';
import type { Route } from '../route.js';
import { openApi } from './document.js';
import { swagger } from './swagger.js';

/** Serves the API's description to anybody. */
export function apiDescription(routes: readonly Route[], config: { readonly baseUrl: string }): Middleware {
  const server = below(config) + PREFIX;
  return servePages({
    [`${PREFIX}/openapi.json`]: sending(() => openApi(routes, server)),
    '/swagger.v1.json': sending(() => swagger(openApi(routes, server))),
  });
}

/** Makes a page of a document, which is made when it is first asked for, and kept. */
function sending(document: () => object): (ctx: Context) => void {
  let made: FixedContent | undefined;
  return (ctx) => {
    made ??= fixedContent(JSON_TYPE, JSON.stringify(document()));
    sendFixed(ctx, made);
  };
}
