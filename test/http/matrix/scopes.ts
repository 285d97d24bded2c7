import type { ScopeCategory } from '../../../src/domain/accounts/scopes.js';

/** What a token needs where a path begins so, the first that fits. */
const SCOPES: readonly (readonly [RegExp, ...ScopeCategory[]])[] = [
  [/^\/admin\//, 'admin'],
  [/^\/user\/hooks\/\{id\}\/(deliveries|redeliver)\b/, 'user', 'issue', 'repository'],
  [/^\/orgs\/\{org\}\/hooks\/\{id\}\/(deliveries|redeliver)\b/, 'organization', 'issue', 'repository'],
  [/^\/repos\/\{owner\}\/\{repo\}\/hooks\/\{id\}\/(deliveries|redeliver)\b/, 'repository', 'issue'],
  [/^\/(user|users\/\{username\})\/orgs\b/, 'user', 'organization'],
  [/^\/(user|users\/\{username\})\/repos\b/, 'user', 'repository'],
  [/^\/users?\b/, 'user'],
  [/^\/org\//, 'organization', 'repository'],
  [/^\/repos\/(issues|\{owner\}\/\{repo\}\/(issues?|labels|milestones))\b/, 'issue'],
  [/^\/(repos|repositories|topics)\b/, 'repository'],
  [/^\/(orgs|teams)\b/, 'organization'],
  [/^\/(version|settings|markdown|markup|gitignore|licenses|label)\b/],
];

/** Throws for a path that the table does not know. */
export function scopesFor(path: string): readonly ScopeCategory[] {
  const found = SCOPES.find(([start]) => start.test(path));
  if (!found) throw new Error(`no scopes are known for ${path}`);
  const [, ...scopes] = found;
  return scopes;
}
