import { availableParallelism } from 'node:os';
import { inColumns } from '../../src/programs/text-table.js';
import { isMet, type Finding } from './question.js';

export interface Answer {
  readonly question: string;
  readonly findings: readonly Finding[];
}

/** The findings of a run, one a line, with what they must be. */
export function table(answers: readonly Answer[]): string {
  const rows = answers.flatMap(({ question, findings }) =>
    findings.map((finding) => [
      question,
      finding.what,
      `${figure(finding.value)} ${finding.unit}`,
      wanted(finding),
      isMet(finding) ? 'ok' : 'MISSED',
      finding.detail,
    ]),
  );
  return inColumns([['question', 'what', 'measured', 'wanted', '', 'behind it'], ...rows]).join('\n');
}

/** The findings of a run as one line of JSON, with whether each is as it must be, and what they were measured on. */
export function inJson(answers: readonly Answer[], quick: boolean): string {
  const findings = answers.flatMap(({ question, findings }) =>
    findings.map((finding) => ({ question, ...finding, met: isMet(finding) })),
  );
  return JSON.stringify({ node: process.version, cores: availableParallelism(), quick, findings });
}

/** Whether every figure is as it must be. */
export const allMet = (answers: readonly Answer[]): boolean =>
  answers.every(({ findings }) => findings.every(isMet));

/** With three digits, and thousands apart. */
export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function wanted({ atLeast, atMost }: Finding): string {
  const limits = [
    ...(atLeast === undefined ? [] : [`≥ ${figure(atLeast)}`]),
    ...(atMost === undefined ? [] : [`≤ ${figure(atMost)}`]),
  ];
  return limits.join(', ');
}
