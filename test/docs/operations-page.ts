import { describedPath } from '../../src/http/openapi/document.js';
import { statusesOf, tagOf } from '../../src/http/openapi/operation.js';
import type { Route } from '../../src/http/route.js';

/** The text of docs/api-operations.md: every operation of the table of routes. */
export function operationsPage(routes: readonly Route[]): string {
  const tags = [...new Set(routes.map(tagOf))].sort();
  const sections = tags.map((tag) => {
    const own = routes.filter((route) => tagOf(route) === tag);
    return [`## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`, '', HEAD, ...own.map(rowOf), ''].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}

const INTRODUCTION = `# Operations

Made by \`npm run docs\` from the table of routes; a test compares it with them. The same table is served as OpenAPI 3.1
at \`/api/v1/openapi.json\` and as Swagger 2.0 at \`/swagger.v1.json\`, with the fields of every body and answer.

Paths are below \`/api/v1\`. The scope is what a token must have; a password has them all. Any request may also meet 400
(a path that is not well encoded), 404 (\`Sudo\` names nobody), 408, 413 and 431 (too late, too large), 422 (NUL in a
text of the query; an \`Idempotency-Key\` that is no key, or that another request had), 429 (too many wrong passwords),
500 and 503.
`;

const HEAD = '| operation | method and path | scope | for | statuses |\n|---|---|---|---|---|';

function rowOf(route: Route): string {
  const { id, method, scopes, access } = route;
  const scope = scopes.map((one) => `\`${method === 'GET' ? 'read' : 'write'}:${one}\``).join(', ') || 'none';
  const statuses = [...statusesOf(route).keys()].sort((one, other) => one - other).join(', ');
  return `| ${id} | ${method} \`${describedPath(route)}\` | ${scope} | ${access.name} | ${statuses} |`;
}
