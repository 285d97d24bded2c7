import type { ScopeCategory } from '../../../src/domain/accounts/scopes.js';
import type { Route } from '../../../src/http/route.js';
import { nowhere, people, type Answers, type Outcome, type Person, type Policy } from './policy.js';
import { scopesFor } from './scopes.js';

const shut = [
  'suspended administrator',
  'token of a suspended administrator',
  'administrator who must change the password',
] as const;

export type CallerName =
  | Person
  | (typeof shut)[number]
  | 'administrator as the stranger'
  | 'wrong password'
  | 'unknown token'
  | 'token without scope'
  | `token without ${ScopeCategory}`
  | 'read-only token'
  | 'public-only token';

/** One way to call, and what it is answered where people are answered so. All tokens are the administrator's. */
export interface Caller {
  readonly name: CallerName;
  readonly answer: (answers: Answers) => Outcome;
  /** Never let in, so that what is called does not matter. */
  readonly shut?: true;
}

/** The ways to call an operation: the same for each, in the same order. */
export function callersOf({ method, path }: Route, { byPassword, ofPrivate }: Policy): Caller[] {
  const scopes = scopesFor(path);
  const token = (name: CallerName, lacksScope: boolean): Caller => ({
    name,
    answer: ({ administrator }) => (lacksScope ? 403 : byPassword ? 401 : administrator),
  });
  const refused = (name: CallerName, status: Outcome): Caller => ({
    name,
    answer: () => status,
    shut: true,
  });
  return [
    ...people.map((name): Caller => ({ name, answer: (answers) => answers[name] })),
    { name: 'administrator as the stranger', answer: ({ stranger }) => stranger },
    refused('wrong password', 401),
    refused('unknown token', 401),
    ...shut.map((name) => refused(name, 403)),
    token(scopes[0] ? `token without ${scopes[0]}` : 'token without scope', scopes.length > 0),
    token('read-only token', method !== 'GET' && scopes.length > 0),
    ofPrivate
      ? { name: 'public-only token', answer: (answers) => (answers === nowhere ? 404 : 403) }
      : token('public-only token', false),
  ];
}

/** Of an operation that needs several scopes: a token that lacks one of the others will not do either. */
export const furtherTokensOf = ({ path }: Route): Caller[] => {
  const [, ...others] = scopesFor(path);
  return others.map((category) => ({ name: `token without ${category}`, answer: () => 403 }));
};
