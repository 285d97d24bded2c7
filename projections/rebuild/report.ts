import type { Projection } from '../projection.js';
import { MAX_DIFFERENCES, type Comparison } from './compare.js';

/** Describes a comparison for the operator, as lines of text. */
export function describeComparison({ name }: Projection, { rows, differences }: Comparison): string[] {
  if (differences.length === 0) return [`${name}: ${rows} rows, the same as the live ones`];
  const count =
    differences.length < MAX_DIFFERENCES ? String(differences.length) : `${MAX_DIFFERENCES} or more`;
  return [
    `${name}: ${count} of ${rows} rows differ`,
    ...differences.flatMap(({ table, key, live, rebuilt }) => [
      `  ${table} ${key}`,
      `    live:    ${live ?? 'no such row'}`,
      `    rebuilt: ${rebuilt ?? 'no such row'}`,
    ]),
  ];
}
