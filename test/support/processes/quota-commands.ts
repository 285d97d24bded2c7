import type { Random } from '../random.js';

/** A change to quotas, as an administrator asks for it over HTTP. */
export type QuotaCommand =
  | {
      readonly type: 'create rule';
      readonly rule: string;
      readonly limit: bigint;
      readonly subjects: readonly string[];
    }
  | { readonly type: 'edit rule'; readonly rule: string; readonly limit: bigint }
  | { readonly type: 'delete rule'; readonly rule: string }
  | { readonly type: 'create group'; readonly group: string; readonly rules: readonly string[] }
  | { readonly type: 'delete group'; readonly group: string }
  | { readonly type: 'add rule'; readonly group: string; readonly rule: string }
  | { readonly type: 'remove rule'; readonly group: string; readonly rule: string }
  | { readonly type: 'add member'; readonly group: string; readonly user: string }
  | { readonly type: 'remove member'; readonly group: string; readonly user: string }
  | { readonly type: 'set groups'; readonly user: string; readonly groups: readonly string[] };

/** What a new rule of a created group is, as the request says it. */
export const RULE_OF_GROUP = { limit: 9_007_199_254_740_993n, subjects: ['size:git:all'] };

export interface QuotaRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export function requestOf(command: QuotaCommand): QuotaRequest {
  switch (command.type) {
    case 'create rule':
      return post('/rules', { name: command.rule, limit: command.limit, subjects: command.subjects });
    case 'edit rule':
      return { method: 'PATCH', path: `${QUOTA}/rules/${command.rule}`, body: { limit: command.limit } };
    case 'delete rule':
      return { method: 'DELETE', path: `${QUOTA}/rules/${command.rule}` };
    case 'create group':
      return post('/groups', {
        name: command.group,
        rules: command.rules.map((name) => ({ name, ...RULE_OF_GROUP })),
      });
    case 'delete group':
      return { method: 'DELETE', path: `${QUOTA}/groups/${command.group}` };
    case 'add rule':
      return { method: 'PUT', path: `${QUOTA}/groups/${command.group}/rules/${command.rule}` };
    case 'remove rule':
      return { method: 'DELETE', path: `${QUOTA}/groups/${command.group}/rules/${command.rule}` };
    case 'add member':
      return { method: 'PUT', path: `${QUOTA}/groups/${command.group}/users/${command.user}` };
    case 'remove member':
      return { method: 'DELETE', path: `${QUOTA}/groups/${command.group}/users/${command.user}` };
    case 'set groups':
      return {
        method: 'POST',
        path: `/admin/users/${command.user}/quota/groups`,
        body: { groups: command.groups },
      };
  }
}

const QUOTA = '/admin/quota';
const post = (path: string, body: unknown): QuotaRequest => ({ method: 'POST', path: QUOTA + path, body });

/** What a client may touch. Nobody else may touch its rules, its groups and who is in them, and `own`. */
export interface Names {
  readonly rules: readonly string[];
  readonly groups: readonly string[];
  /** The user whose groups it sets. */
  readonly own: string;
  /** Users that it adds to its groups, as others do to theirs. */
  readonly shared: readonly string[];
}

const SUBJECTS = ['size:all', 'size:git:all', 'size:repos:private', 'size:assets:artifacts'] as const;
const LIMITS = [-1n, 0n, 1_000n, 9_007_199_254_740_993n] as const;

/** Some command; among few names many are refused, which is part of the mix. */
export function randomCommand(random: Random, { rules, groups, own, shared }: Names): QuotaCommand {
  const rule = random.pick(rules);
  const group = random.pick(groups);
  const user = random.pick(shared);
  return random.pick<() => QuotaCommand>([
    () => ({ type: 'create rule', rule, limit: random.pick(LIMITS), subjects: [random.pick(SUBJECTS)] }),
    () => ({ type: 'edit rule', rule, limit: random.pick(LIMITS) }),
    () => ({ type: 'delete rule', rule }),
    () => ({ type: 'create group', group, rules: random.some(rules) }),
    () => ({ type: 'create group', group, rules: random.some(rules) }),
    () => ({ type: 'delete group', group }),
    () => ({ type: 'add rule', group, rule }),
    () => ({ type: 'remove rule', group, rule }),
    () => ({ type: 'add member', group, user }),
    () => ({ type: 'add member', group, user }),
    () => ({ type: 'remove member', group, user }),
    () => ({ type: 'set groups', user: own, groups: random.some(groups) }),
  ])();
}
