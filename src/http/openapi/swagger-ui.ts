import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import swaggerUi from 'swagger-ui-dist/absolute-path.js';
import { below } from '../server/below.js';
import type { Middleware } from '../context.js';
import { DOCUMENTATION } from '../middleware/errors.js';
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
  url: '${description}',
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

const PACKAGED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

/** Serves Swagger UI at `/api/swagger`, which errors refer to, with all its files from this server. */
export function swaggerUserInterface(config: { readonly baseUrl: string }): Middleware {
  const html = htmlOf(below(config) + DOCUMENTATION);
  const start = startOf(`${below(config)}${PREFIX}/openapi.json`);
  return function swaggerUserInterface(ctx, next) {
    const { path, method } = ctx;
    if (!path.startsWith(DOCUMENTATION) || (method !== 'GET' && method !== 'HEAD')) return next();
    const name = path.slice(DOCUMENTATION.length + 1);
    const answer = async (type: string, body: string | Promise<Buffer>): Promise<void> => {
      ctx.set('Content-Security-Policy', POLICY);
      ctx.set('Content-Type', type);
      ctx.body = await body;
    };
    if (path === DOCUMENTATION) return answer('text/html; charset=utf-8', html);
    if (path === `${DOCUMENTATION}/start.js`) return answer(TYPES['.js'] ?? '', start);
    if (path === `${DOCUMENTATION}/${name}` && PACKAGED.includes(name)) {
      ctx.set('Cache-Control', 'public, max-age=86400');
      return answer(TYPES[extname(name)] ?? '', readFile(join(swaggerUi(), name)));
    }
    return next();
  };
}
