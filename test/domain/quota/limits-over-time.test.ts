import { expect } from 'chai';
import fc from 'fast-check';
import { applicableGroups, type QuotaGroup } from '../../../src/domain/quota/evaluation.js';
import { limitsOverTime, type LimitHistory, type Span } from '../../../src/domain/quota/limits-over-time.js';

const END = 40n;
const spans = fc
  .uniqueArray(fc.bigInt({ min: 0n, max: END }), { maxLength: 6 })
  .map((ends) => ends.sort((left, right) => Number(left - right)))
  .map((ends) =>
    ends.flatMap((from, index): Span[] => {
      const until = ends[index + 1];
      return index % 2 === 0 && until !== undefined ? [{ from, until }] : [];
    }),
  );

/** Two groups, either of which may be joined and named by the defaults, with two rules that come and go. */
const history: fc.Arbitrary<LimitHistory> = fc
  .record({
    own: fc.tuple(spans, spans),
    existing: fc.tuple(spans, spans),
    rules: fc.tuple(spans, spans),
    firstDefaults: fc.subarray(['one', 'two']),
    laterDefaults: fc.subarray(['one', 'two']),
    changed: fc.bigInt({ min: 1n, max: END }),
    created: fc.bigInt({ min: 0n, max: END - 1n }),
  })
  .map(({ created, own, existing, rules, firstDefaults, laterDefaults, changed }) => {
    const group = (of: readonly (readonly Span[])[]) =>
      of.flatMap((list, index) =>
        list.map((span) => ({ id: index, name: index === 0 ? 'one' : 'two', ...span })),
      );
    return {
      created,
      own: group(own),
      defaultGroups: group(existing),
      rules: rules.flatMap((list, groupId) =>
        list.map((span) => ({
          groupId,
          name: `rule ${groupId}`,
          limit: BigInt(groupId) + 1n,
          subjects: ['size:all'] as const,
          ...span,
        })),
      ),
      defaults: [
        { groups: firstDefaults, total: 7n, from: 0n, until: changed },
        { groups: laterDefaults, total: -1n, from: changed, until: END },
      ],
    };
  });

const holdsAt =
  (position: bigint) =>
  ({ from, until }: Span) =>
    from <= position && position < until;

/** What applies at one position, by the rule for the present. */
function limitsAt(
  { own, defaultGroups, defaults, rules }: LimitHistory,
  position: bigint,
): readonly string[] {
  const holds = holdsAt(position);
  const withRules = ({ id, name }: { id: number; name: string }): QuotaGroup => ({
    name,
    rules: rules.filter((rule) => rule.groupId === id && holds(rule)),
  });
  const configured = defaults.find(holds);
  if (!configured) return [];
  return applicableGroups(own.filter(holds).map(withRules), {
    groups: defaultGroups
      .filter((group) => holds(group) && configured.groups.includes(group.name))
      .map(withRules),
    total: configured.total,
  }).flatMap((group) =>
    group.rules.filter(({ limit }) => limit >= 0n).map(({ name, limit }) => `${group.name} ${name} ${limit}`),
  );
}

describe('the limits of an account over time', () => {
  it('are at every moment those that applied then', () => {
    fc.assert(
      fc.property(history, (of) => {
        const limits = limitsOverTime(of);
        expect(limits.filter(({ until }) => until <= of.created)).to.deep.equal([]);
        for (let position = of.created; position < END; position += 1n) {
          const then = limits
            .filter(holdsAt(position))
            .map(({ group, rule, limit }) => `${group} ${rule} ${limit}`);
          expect(then.sort(), `at ${position}`).to.deep.equal([...limitsAt(of, position)].sort());
        }
      }),
    );
  });
  it('are the same in whichever order memberships were read', () => {
    fc.assert(
      fc.property(history, (of) => {
        expect(limitsOverTime({ ...of, own: of.own.toReversed() })).to.deep.equal(limitsOverTime(of));
      }),
    );
  });
  it('are told in the order in which they begin', () => {
    fc.assert(
      fc.property(history, (of) => {
        const begins = limitsOverTime(of).map(({ from }) => from);
        expect(begins).to.deep.equal(begins.toSorted((left, right) => Number(left - right)));
      }),
    );
  });
  it('that begin together are told by group and rule, in whichever order they were read', () => {
    const rule = (groupId: number, name: string) => ({
      ...{ groupId, name, limit: 1n, subjects: ['size:all'] as const },
      ...{ from: 0n, until: END },
    });
    const own = [1, 2].map((id) => ({ id, name: `group ${id}`, from: 5n, until: END }));
    const rules = [rule(1, 'a'), rule(1, 'b'), rule(2, 'a')];
    const told = (read: Pick<LimitHistory, 'own' | 'rules'>) =>
      limitsOverTime({ created: 0n, defaults: [], defaultGroups: [], ...read }).map(
        ({ group, rule }) => `${group} ${rule}`,
      );
    const inOrder = ['group 1 a', 'group 1 b', 'group 2 a'];
    expect(told({ own, rules })).to.deep.equal(inOrder);
    expect(told({ own: own.toReversed(), rules: rules.toReversed() })).to.deep.equal(inOrder);
  });
  it('are found among thousands without comparing each with each', () => {
    let looks = 0;
    const watched = <T extends Span>({ from, until, ...rest }: T) => ({
      ...rest,
      get from() {
        looks += 1;
        return from;
      },
      until,
    });
    const many = Array.from({ length: 1_000 }, (_, index) => BigInt(20 * index));
    const limits = limitsOverTime({
      created: 0n,
      own: many.map((at) => watched({ id: 1, name: 'one', from: at, until: at + 10n })),
      defaultGroups: [],
      defaults: [{ groups: [], total: 7n, from: 0n, until: 20_000n }],
      rules: many.map((at) =>
        watched({
          groupId: 1,
          name: 'rule',
          limit: 1n,
          subjects: ['size:all'] as const,
          from: at + 5n,
          until: at + 25n,
        }),
      ),
    });
    expect(limits).to.have.length(2_999);
    expect(looks).to.be.lessThan(200_000);
  });
});
