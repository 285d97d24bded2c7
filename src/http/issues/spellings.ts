import type { Caller } from '../caller.js';
import { route, type Route, type RouteDeclaration } from '../route.js';

/** The operations that the specification has only at `issue/{index}`. */
const AT_SINGULAR: ReadonlySet<string> = new Set([
  'issueGetComments',
  'issueAddLabel',
  'issueReplaceLabels',
  'issueClearLabels',
  'issueRemoveLabel',
]);

/** Returns the id of the operation at the other spelling of the path. */
export const otherSpelling = (id: string): string =>
  AT_SINGULAR.has(id) ? `${id}AtPlural` : `${id}AtSingular`;

/** Returns a URL below `/api/v1/repos/{owner}/{repo}` with the other spelling. */
const respelled = (url: string): string =>
  url.replace(
    /^((?:\/[^/?]+){5})\/(issues?)(?=\/)/,
    (_, start: string, word: string) => `${start}/${word === 'issue' ? 'issues' : 'issue'}`,
  );

/**
 * Declares a route to an issue at both paths that clients use: `issues/{index}`, and `issue/{index}` of older API
 * descriptions. The declaration gives the first one.
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
  const spells = { id, url: respelled };
  const singular = path.replace('/issues/{index}', '/issue/{index}') as `/${string}`;
  const [own, other] = AT_SINGULAR.has(id) ? [singular, path] : [path, singular];
  return [
    route({ ...declaration, path: own }),
    route({ ...declaration, id: otherSpelling(id), path: other, spells }),
  ];
};
