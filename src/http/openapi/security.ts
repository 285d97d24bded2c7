import { selfOrAdministratorByPassword, siteAdministrator } from '../access.js';
import type { Route } from '../route.js';
import type { Json } from './json-schemas.js';

/** The ways to show who calls, by the names that clients of such servers know them by. */
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

/** One of these lets a request in; an empty one lets in who shows nothing. */
export function securityOf(route: Route): Json[] {
  const ways =
    route.access.name === selfOrAdministratorByPassword.name ? ['BasicAuth'] : Object.keys(securitySchemes);
  const required = ways.map((way) => ({ [way]: [] }));
  return needsSignIn(route) ? required : [{}, ...required];
}

/** Whether a caller must have shown who it is. */
const needsSignIn = ({ access, answers }: Route) => access.name === siteAdministrator.name || 401 in answers;
