import { badRequest } from '../errors.js';

/** The categories, in the order in which a token's scopes are listed. */
export const scopeCategories = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
] as const;

/** A part of the API that a token can give access to. */
export type ScopeCategory = (typeof scopeCategories)[number];
/** The access that a scope gives in its category; `write` includes `read`. */
export type ScopeLevel = 'read' | 'write';
/** What a token may do, as the API spells it. `public-only` allows nothing itself, but restricts the other scopes. */
export type Scope = 'all' | 'public-only' | `${ScopeLevel}:${ScopeCategory}`;

const known: ReadonlySet<string> = new Set([
  'all',
  'public-only',
  ...scopeCategories.flatMap((category) => [`read:${category}`, `write:${category}`]),
]);

/**
 * Normalises requested scopes: each occurs once, in a fixed order, without reads that a write implies, and `all`
 * replaces the writes of all categories. Refuses unknown scopes, and a list that allows nothing.
 */
export function normaliseScopes(asked: readonly string[]): readonly Scope[] {
  const unknown = asked.find((scope) => !known.has(scope));
  if (unknown !== undefined) throw badRequest('access_token.scope_unknown', `unknown scope: ${unknown}`);
  const scopes = asked as readonly Scope[];
  const kept = scopeCategories.flatMap((category): Scope[] => {
    if (allows(scopes, 'write', category)) return [`write:${category}`];
    return allows(scopes, 'read', category) ? [`read:${category}`] : [];
  });
  if (kept.length === 0) throw badRequest('access_token.scopes_empty', 'an access token needs a scope');
  const everything = scopeCategories.every((category) => allows(scopes, 'write', category));
  const publicOnly: Scope[] = isPublicOnly(scopes) ? ['public-only'] : [];
  return [...publicOnly, ...(everything ? (['all'] as const) : kept)];
}

/** Tells whether scopes allow reading or writing in a category. Writing includes reading. */
export const allows = (scopes: readonly Scope[], level: ScopeLevel, category: ScopeCategory): boolean =>
  scopes.includes('all') ||
  scopes.includes(`write:${category}`) ||
  (level === 'read' && scopes.includes(`read:${category}`));

/** Tells whether scopes are restricted to what everybody may see. */
export const isPublicOnly = (scopes: readonly Scope[]): boolean => scopes.includes('public-only');
