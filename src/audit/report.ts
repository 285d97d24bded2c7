import { applicableGroups, evaluate, UNLIMITED, type QuotaRule } from '../domain/quota/evaluation.js';
import { plus, usageSubjects, usedUnder, type Usage } from '../domain/quota/subjects.js';
import { stringifyJson } from '../values/json.js';
import { inColumns } from '../programs/text-table.js';
import type { StandingAsOf } from './standing-as-of.js';

/** The state of one rule for an account at a moment. */
interface ReportLine {
  readonly group: string;
  readonly rule: string;
  readonly subjects: readonly string[];
  /** In bytes; -1 means no limit. */
  readonly limit: bigint;
  readonly used: bigint;
  /** Whether more is used than the rule allows. */
  readonly over: boolean;
}

/** An account's usage at a moment, in bytes, and the state of its rules; `time` is null unless a time was requested. */
export interface Report {
  readonly user: string;
  readonly account_id: number;
  readonly as_of: { readonly position: bigint; readonly time: string | null };
  /** The origin of the groups: the account's own, the configured default groups, or the built-in one. */
  readonly groups_from: 'account' | 'defaults' | 'built-in';
  readonly used: Usage;
  /** Reserved by operations in progress. Counts as used when more is requested. */
  readonly reserved: Usage;
  readonly rules: readonly ReportLine[];
  /** The subjects under which the account could not store anything more. */
  readonly refused: readonly string[];
}

/** Tells whether the account used more than some rule allowed. */
export const isOver = ({ rules }: Report): boolean => rules.some((rule) => rule.over);

/** Builds the report on an account at a moment, for table, JSON and CSV. */
export function reportOf(
  subject: Pick<Report, 'user' | 'account_id' | 'as_of'>,
  { own, defaults, usage, reserved }: StandingAsOf,
): Report {
  const groups = applicableGroups(own, defaults);
  return {
    ...subject,
    groups_from: own.length > 0 ? 'account' : defaults.groups.length > 0 ? 'defaults' : 'built-in',
    used: usage,
    reserved,
    rules: groups.flatMap((group) =>
      group.rules.map((rule) => ({ group: group.name, ...lineOf(rule, usedUnder(rule.subjects, usage)) })),
    ),
    refused: usageSubjects.filter((leaf) => !evaluate(groups, plus(usage, reserved), leaf).allowed),
  };
}

const lineOf = ({ name, limit, subjects }: QuotaRule, used: bigint) => ({
  rule: name,
  subjects,
  limit,
  used,
  over: limit !== UNLIMITED && used > limit,
});

/** Formats the report as one line of JSON; limits and sizes are numbers with all digits. */
export const asJson = (report: Report): string => stringifyJson(report);

/** Formats the rules as CSV (RFC 4180): a header, then a line for each rule. */
export function asCsv({ user, as_of, rules }: Report): string {
  const header = ['user', 'position', 'group', 'rule', 'subjects', 'limit', 'used', 'over'];
  const lines = rules.map((line) =>
    [
      user,
      as_of.position,
      line.group,
      line.rule,
      line.subjects.join(' '),
      line.limit,
      line.used,
      line.over,
    ].map((value) => quoted(String(value))),
  );
  return [header, ...lines].map((cells) => cells.join(',')).join('\r\n');
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats the report for people: account and time, a table of rules, and what would be refused. */
export function asTable(report: Report): string {
  const { user, account_id, as_of, groups_from, rules, refused, reserved } = report;
  const cells = [
    ['group', 'rule', 'subjects', 'limit', 'used', ''],
    ...rules.map((line) => [
      line.group,
      line.rule,
      line.subjects.join(' '),
      line.limit === UNLIMITED ? 'none' : line.limit.toString(),
      line.used.toString(),
      line.over ? 'OVER' : '',
    ]),
  ];
  const working = Object.entries(reserved).filter(([, bytes]) => bytes > 0n);
  return [
    `${user} (account ${account_id}) as of position ${as_of.position}${as_of.time ? `, ${as_of.time}` : ''}`,
    `groups: ${groups_from}`,
    '',
    ...inColumns(cells),
    '',
    ...working.map(([subject, bytes]) => `reserved by work under way: ${bytes} (${subject})`),
    refused.length === 0 ? 'nothing would be refused' : `would be refused: ${refused.join(', ')}`,
  ].join('\n');
}
