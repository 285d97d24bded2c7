import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import swaggerUi from 'swagger-ui-dist/absolute-path.js';
import { below } from '../server/below.js';
import type { Context, Middleware } from '../context.js';
import { DOCUMENTATION } from '../middleware/errors.js';
import { servePages } from '../pages.js';
import { PREFIX } from '../router.js';

const htmlOf = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tallyforge API</title>
    <link rel="icon" href="${base}/favicon-32x32.png">
    <link rel="stylesheet" href="${base}/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}/swagger-ui-bundle.js"></script>
    <script src="${base}/start.js"></script>
  </body>
</html>
`;

const startOf = (description: string) => `SwaggerUIBundle({
  url: ${JSON.stringify(description)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

/** Allows nothing from other sites and no inline scripts; Swagger UI itself needs inline styles and data images. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SCRIPT = 'text/javascript; charset=utf-8';

/** The files of the package that are served, with their types. */
const PACKAGED = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT,
  'favicon-32x32.png': 'image/png',
};

/** Serves Swagger UI at `/api/swagger`, which errors refer to, with all its files from this server. */
export function swaggerUserInterface(config: { readonly baseUrl: string }): Middleware {
  const html = htmlOf(below(config) + DOCUMENTATION);
  const start = startOf(`${below(config)}${PREFIX}/openapi.json`);
  return servePages({
    [DOCUMENTATION](ctx) {
      answer(ctx, 'text/html; charset=utf-8', html);
    },
    [`${DOCUMENTATION}/start.js`](ctx) {
      answer(ctx, SCRIPT, start);
    },
    ...Object.fromEntries(
      Object.entries(PACKAGED).map(([name, type]) => [`${DOCUMENTATION}/${name}`, packaged(name, type)]),
    ),
  });
}

const packaged = (name: string, type: string) => async (ctx: Context) => {
  ctx.set('Cache-Control', 'public, max-age=86400');
  answer(ctx, type, await readFile(join(swaggerUi(), name)));
};

function answer(ctx: Context, type: string, body: string | Buffer): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('Content-Type', type);
  ctx.body = body;
}
