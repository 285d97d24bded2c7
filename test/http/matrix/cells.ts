import type { Route } from '../../../src/http/route.js';
import { callersOf, furtherTokensOf, type Caller } from './callers.js';
import { nowhere, whereAbsent, type Outcome } from './policy.js';
import type { Name, Names, Other, Row } from './row.js';
import type { World } from './world.js';

/** One call and what it must be answered. */
export interface Cell {
  readonly caller: Caller;
  /** What the path names in place of what the row is about, in words; empty for that itself. */
  readonly what: string;
  readonly names: (world: World) => Names;
  readonly outcome: Outcome;
  /** Where this cell must be answered to the letter as another one: that one's `what`. */
  readonly like?: string;
}

export interface CellsOfRoute {
  /** One for each caller, at what the row is about. */
  readonly plain: readonly Cell[];
  /** At what is absent, hidden or elsewhere, and of further tokens. */
  readonly further: readonly Cell[];
}

/** Ids are numbers, other names are text: this is neither's. */
const NOBODYS = '999999999';

export function cellsOf(route: Route, row: Row): CellsOfRoute {
  const { policy, others = [] } = row;
  const callers = callersOf(route, policy);
  const cell = (caller: Caller): Cell => ({
    caller,
    what: '',
    names: () => ({}),
    outcome: caller.answer(policy.answers),
  });

  const [first = ''] = parametersOf(route);
  const at = (
    { what, names, answers, hidden }: Other,
    usual = whereAbsent(policy),
    like = hidden && absenceOf(first),
  ): Cell[] =>
    callers
      .filter(({ name, shut }) => (answers ? name in answers : !shut))
      .map((caller) => ({ caller, outcome: answers?.[caller.name] ?? caller.answer(usual) }))
      .map((cell) => ({
        ...cell,
        what,
        names,
        ...(like && cell.outcome === 404 && { like }),
      }));

  const absent = parametersOf(route).flatMap((parameter, place) => {
    const answers = row.absent?.[parameter];
    const usual = place === 0 && policy.absence === 'not found' ? nowhere : whereAbsent(policy);
    const called = (what: string, name: Name, like?: string) =>
      at(
        { what, names: (world) => ({ [parameter]: name(world) }), ...(answers && { answers }) },
        usual,
        like,
      );
    const elsewhere = row.elsewhere?.[parameter];
    return [
      ...called(absenceOf(parameter), () => NOBODYS),
      ...(elsewhere ? called(`${parameter} of another parent`, elsewhere, absenceOf(parameter)) : []),
    ];
  });

  return {
    plain: callers.map(cell),
    further: [...furtherTokensOf(route).map(cell), ...absent, ...others.flatMap((other) => at(other))],
  };
}

const absenceOf = (parameter: string) => `no such ${parameter}`;

const PARAMETER = /\{(\w+)\*?\}/g;

/** The names of the parameters, in their order. */
export const parametersOf = ({ path }: Route): string[] =>
  [...path.matchAll(PARAMETER)].map(([, name = '']) => name);

/** The path with its parameters in place; throws for one that has no value. */
export const pathOf = ({ path }: Route, names: Names): string =>
  path.replace(PARAMETER, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`${path}: the world has no ${name}`);
    return encodeURIComponent(value);
  });
