import { RULE_OF_GROUP, type QuotaCommand } from './quota-commands.js';

interface Rule {
  readonly limit: bigint;
  readonly subjects: readonly string[];
}

/** What a command does when it is carried out. */
export interface Outcome {
  readonly status: number;
  readonly model: QuotaModel;
  /** What the history shows of it, as `changeText` says it, sorted. */
  readonly changes: readonly string[];
}

/** A change as one line: what happened to which groups, rules and user. */
export const changeText = (
  type: string,
  groups: readonly string[] = [],
  rules: readonly string[] = [],
  user = '',
): string => `${type} [${groups.join(' ')}] [${rules.join(' ')}] ${user}`.trimEnd();

/** What quotas are, said once more and without events: what the server must answer. */
export class QuotaModel {
  constructor(
    readonly rules: ReadonlyMap<string, Rule> = new Map(),
    /** The rules of each group. */
    readonly groups: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
    /** Who is in each group. */
    readonly members: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  ) {}

  after(command: QuotaCommand): Outcome {
    const { rules, groups, members } = this;
    const refused = (status: number): Outcome => ({ status, model: this, changes: [] });
    const changed = (status: number, changes: readonly string[], parts: Partial<QuotaModel>): Outcome => ({
      status,
      changes: changes.toSorted(),
      model: new QuotaModel(parts.rules ?? rules, parts.groups ?? groups, parts.members ?? members),
    });

    switch (command.type) {
      case 'create rule': {
        const { rule, limit, subjects } = command;
        if (rules.has(rule)) return refused(409);
        return changed(201, [changeText('QuotaRuleCreated', [], [rule])], {
          rules: new Map(rules).set(rule, { limit, subjects }),
        });
      }
      case 'edit rule': {
        const { rule, limit } = command;
        const before = rules.get(rule);
        if (!before) return refused(404);
        const changes = before.limit === limit ? [] : [changeText('QuotaRuleEdited', [], [rule])];
        return changed(200, changes, { rules: new Map(rules).set(rule, { ...before, limit }) });
      }
      case 'delete rule': {
        const { rule } = command;
        if (!rules.has(rule)) return refused(404);
        const holders = [...groups].filter(([, held]) => held.has(rule)).map(([name]) => name);
        return changed(
          204,
          [
            ...holders.sort().map((group) => changeText('RuleRemovedFromQuotaGroup', [group], [rule])),
            changeText('QuotaRuleDeleted', [], [rule]),
          ],
          {
            rules: omitting(rules, rule),
            groups: new Map([...groups].map(([name, held]) => [name, without(held, rule)])),
          },
        );
      }
      case 'create group': {
        const { group } = command;
        if (groups.has(group)) return refused(409);
        const fresh = command.rules.filter((rule) => !rules.has(rule));
        return changed(
          201,
          [
            ...fresh.map((rule) => changeText('QuotaRuleCreated', [], [rule])),
            changeText('QuotaGroupCreated', [group]),
            ...command.rules.map((rule) => changeText('RuleAddedToQuotaGroup', [group], [rule])),
          ],
          {
            rules: new Map([...rules, ...fresh.map((rule) => [rule, RULE_OF_GROUP] as const)]),
            groups: new Map(groups).set(group, new Set(command.rules)),
          },
        );
      }
      case 'delete group': {
        const { group } = command;
        const held = groups.get(group);
        if (!held) return refused(404);
        return changed(204, [changeText('QuotaGroupDeleted', [group], [...held].sort())], {
          groups: omitting(groups, group),
          members: omitting(members, group),
        });
      }
      case 'add rule': {
        const { group, rule } = command;
        const held = groups.get(group);
        if (!held) return refused(404);
        if (!rules.has(rule)) return refused(422);
        if (held.has(rule)) return refused(409);
        return changed(204, [changeText('RuleAddedToQuotaGroup', [group], [rule])], {
          groups: new Map(groups).set(group, new Set([...held, rule])),
        });
      }
      case 'remove rule': {
        const { group, rule } = command;
        const held = groups.get(group);
        if (!held?.has(rule)) return refused(404);
        return changed(204, [changeText('RuleRemovedFromQuotaGroup', [group], [rule])], {
          groups: new Map(groups).set(group, without(held, rule)),
        });
      }
      case 'add member': {
        const { group, user } = command;
        if (!groups.has(group)) return refused(404);
        const there = this.#membersOf(group);
        if (there.has(user)) return refused(409);
        return changed(204, [changeText('AddedToQuotaGroup', [group], [], user)], {
          members: new Map(members).set(group, new Set([...there, user])),
        });
      }
      case 'remove member': {
        const { group, user } = command;
        const there = this.#membersOf(group);
        if (!there.has(user)) return refused(404);
        return changed(204, [changeText('RemovedFromQuotaGroup', [group], [], user)], {
          members: new Map(members).set(group, without(there, user)),
        });
      }
      case 'set groups': {
        const { user, groups: wanted } = command;
        if (wanted.some((group) => !groups.has(group))) return refused(422);
        const old = [...groups.keys()].filter((group) => this.#membersOf(group).has(user));
        const left = old.filter((group) => !wanted.includes(group));
        const joined = wanted.filter((group) => !old.includes(group));
        return changed(
          204,
          [
            ...joined.map((group) => changeText('AddedToQuotaGroup', [group], [], user)),
            ...left.map((group) => changeText('RemovedFromQuotaGroup', [group], [], user)),
          ],
          {
            members: new Map(
              [...groups.keys()].map((group) => {
                const others = without(this.#membersOf(group), user);
                return [group, wanted.includes(group) ? new Set([...others, user]) : others];
              }),
            ),
          },
        );
      }
    }
  }

  /** As the API lists them, by name. */
  rulesListed(): Record<string, unknown>[] {
    return byName([...this.rules].map(([name, { limit, subjects }]) => ({ name, limit, subjects })));
  }

  groupsListed(): { readonly name: string; readonly rules: unknown[] }[] {
    return byName(
      [...this.groups].map(([name, held]) => ({
        name,
        rules: this.rulesListed().filter((rule) => held.has(rule.name as string)),
      })),
    );
  }

  membersListed(group: string): string[] {
    return [...this.#membersOf(group)].sort();
  }

  #membersOf(group: string): ReadonlySet<string> {
    return this.members.get(group) ?? new Set();
  }
}

const byName = <T extends { name?: unknown }>(list: T[]): T[] =>
  list.sort((left, right) => (String(left.name) < String(right.name) ? -1 : 1));

const without = <T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> =>
  new Set([...set].filter((each) => each !== item));

const omitting = <T>(map: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([each]) => each !== name));
