import { PREFIX } from '../router.js';
import type { Route } from '../route.js';
import { nothing, problem, tooLarge } from '../schema.js';
import { jsonSchemas, nameOf, type Json } from './json-schemas.js';
import { kindsOf, operationOf, tagOf, type Operation, type Schemas } from './operation.js';
import { securitySchemes } from './security.js';

/** Operations by path, then by method in lower case. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** An OpenAPI document, limited to the parts that ours have. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly securitySchemes: typeof securitySchemes;
  };
}

const INFO = {
  title: 'Tallyforge',
  version: '1.1.1', // of the API that clients were made for, not of this program
  license: { name: 'MIT', identifier: 'MIT' },
  description:
    'Hosts source code. Lists are paged by `page` and `limit` and say `X-Total-Count`, many also `Link`. `Idempotency-Key` ' +
    'makes a write safe to repeat; a site administrator acts as somebody else with `Sudo`.',
};

const TAGS: Readonly<Record<string, string>> = {
  admin: 'For site administrators: users, quotas, hooks of the whole site.',
  issue: 'Issues, comments, labels and milestones.',
  miscellaneous: 'Markdown, templates, the version and settings of the server.',
  organization: 'Organizations, their teams, members and hooks.',
  repository: 'Repositories, what is in them and who works on them.',
  user: 'Users, and what is the own of who calls.',
};

/** Describes routes as OpenAPI 3.1; `server` is the path that they are below. */
export function openApi(routes: readonly Route[], server = PREFIX): OpenApi {
  const schemas = schemasOf(routes);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes)
    (paths[describedPath(route)] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  const names = [...new Set(routes.map(tagOf))].sort();
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: server }],
    tags: names.map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    components: { schemas: componentsOf(schemas), securitySchemes },
  };
}

/** The one operation whose path the specification writes with a trailing slash. It is served with and without. */
const WITH_SLASH: ReadonlySet<string> = new Set(['orgCreateHook']);

/** Returns a path in the specification's form, in which `{name*}` looks like any other parameter. */
export const describedPath = ({ id, path }: Pick<Route, 'id' | 'path'>): string =>
  path.replaceAll('*}', '}') + (WITH_SLASH.has(id) ? '/' : '');

const schemasOf = (routes: readonly Route[]): Schemas => ({
  input: jsonSchemas(
    routes
      .flatMap(({ params, query, body }) => [params, query, body])
      .filter((schema) => schema !== undefined),
    'input',
  ),
  output: jsonSchemas(
    [problem, tooLarge, ...routes.flatMap(({ answers }) => Object.values(answers).flatMap(kindsOf))],
    'output',
  ),
});

function componentsOf({ input, output }: Schemas): Readonly<Record<string, Json>> {
  for (const name of Object.keys(input.components))
    if (name in output.components) throw new Error(`${name} is the name of a body and of an answer`);
  const all = Object.entries({ ...input.components, ...output.components });
  // Answers without a body are described without content, and need no schema.
  const said = all.filter(([name]) => name !== nameOf(nothing));
  return Object.fromEntries(said.sort(([one], [other]) => (one < other ? -1 : 1)));
}
