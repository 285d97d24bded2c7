import { inColumns } from '../programs/text-table.js';
import type { Rehearsal } from './rehearse.js';

/** How many rows of a list are shown on a terminal; JSON has more. */
const SHOWN = 20;

/** Formats a rehearsal for people: who would exceed a limit, what would be refused, and how many more there are of each. */
export function asTables({ position, since, operations, ...found }: Rehearsal): string {
  return [
    `at position ${position}; ${operations} operations since ${since} played again`,
    '',
    ...section(
      `${found.over_total} over a limit`,
      ['account', 'group', 'rule', 'limit', 'used', 'over by'],
      found.over.map(({ user, group, rule, limit, used, over_by }) => [
        nameOf(user),
        group,
        rule,
        String(limit),
        String(used),
        String(over_by),
      ]),
      found.over_total,
    ),
    '',
    ...section(
      `${found.refused_total} operations would have been refused`,
      ['when', 'account', 'subject', 'size', 'used', 'limit', 'rule', 'group'],
      found.refused.map(({ at, user, subject, size, used, limit, rule, group }) => [
        at,
        nameOf(user),
        subject,
        String(size),
        String(used),
        String(limit),
        rule,
        group,
      ]),
      found.refused_total,
    ),
  ].join('\n');
}

function section(
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  total: number,
): readonly string[] {
  if (total === 0) return [title];
  const shown = rows.slice(0, SHOWN);
  const more = total - shown.length;
  return [`${title}:`, ...inColumns([header, ...shown]), ...(more > 0 ? [`and ${more} more`] : [])];
}

const nameOf = ({ id, name }: { readonly id: number; readonly name: string | null }) =>
  name ?? `account ${id}`;
