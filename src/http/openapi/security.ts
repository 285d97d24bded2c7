import { selfOrAdministratorByPassword, siteAdministrator } from '../access.js';
import type { Route } from '../route.js';
import type { Json } from './json-schemas.js';

/** The authentication methods, under the names that clients of Forgejo and Gitea use. */
export const securitySchemes = {
  BasicAuth: { type: 'http', scheme: 'basic', description: 'Name and password; or a token as the password.' },
  AuthorizationHeaderToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`token ` or `Bearer ` and the token.',
  },
  Token: { type: 'apiKey', in: 'query', name: 'token', description: 'Deprecated: it ends up in logs.' },
  AccessToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'Deprecated: it ends up in logs.',
  },
} as const;

/** Returns the methods that admit a request, each of which is enough; the empty one admits anonymous requests. */
export function securityOf(route: Route): Json[] {
  const ways =
    route.access.name === selfOrAdministratorByPassword.name ? ['BasicAuth'] : Object.keys(securitySchemes);
  const required = ways.map((way) => ({ [way]: [] }));
  return needsSignIn(route) ? required : [{}, ...required];
}

/** Tells whether a route requires signing in. */
const needsSignIn = ({ access, answers }: Route) => access.name === siteAdministrator.name || 401 in answers;
