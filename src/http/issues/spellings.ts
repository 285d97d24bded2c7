import type { Caller } from '../caller.js';
import { route, type Route, type RouteDeclaration } from '../route.js';

/** Those that the specification has at `issue/{index}` alone. */
const AT_SINGULAR: ReadonlySet<string> = new Set([
  'issueGetComments',
  'issueAddLabel',
  'issueReplaceLabels',
  'issueClearLabels',
  'issueRemoveLabel',
]);

/** The id of the same operation at the spelling of its path that the id itself does not stand for. */
export const otherSpelling = (id: string): string =>
  AT_SINGULAR.has(id) ? `${id}AtPlural` : `${id}AtSingular`;

/**
 * A route to an issue under both names that clients know: `issues/{index}`, and `issue/{index}` of old descriptions.
 * Both answer alike; the declaration has the path of the first.
 */
export const bothSpellings = <
  C extends Caller,
  Params,
  Query = undefined,
  Body = undefined,
  Parent = undefined,
>(
  declaration: RouteDeclaration<C, `/${string}`, Params, Query, Body, Parent>,
): Route[] => {
  const { id, path } = declaration;
  const singular = path.replace('/issues/{index}', '/issue/{index}') as `/${string}`;
  const [own, other] = AT_SINGULAR.has(id) ? [singular, path] : [path, singular];
  return [
    route({ ...declaration, path: own }),
    route({ ...declaration, id: otherSpelling(id), path: other }),
  ];
};
