import type { Tally } from './caller.js';
import type { Fault } from './plan/faults.js';

/** What became of a fault. */
export interface Survived {
  readonly fault: Fault;
  /** Milliseconds from its end until the site said that it was ready. */
  readonly recoveredAfter: number;
}

export interface Report {
  readonly seed: number;
  readonly clients: number;
  readonly store: string;
  readonly seconds: number;
  readonly tally: Tally;
  readonly deliveriesOwed: number;
  readonly survived: readonly Survived[];
  /** What could not be tried here, and why. */
  readonly skipped: readonly string[];
  /** Everything that was other than promised; empty when all went well. */
  readonly violations: readonly string[];
}

/** For a terminal. */
export function reportText(report: Report): string {
  const { tally, violations, skipped } = report;
  return [
    `seed ${report.seed}: ${report.clients} clients for ${report.seconds.toFixed(0)} s, log in ${report.store}`,
    `requests: ${tally.acknowledged} acknowledged, ${tally.refused} refused, ${tally.failed} failed (${tally.internal} with 500), ${tally.lost} without an answer`,
    `deliveries owed: ${report.deliveriesOwed}`,
    '',
    ...table(report.survived),
    ...skipped.map((text) => `skipped: ${text}`),
    '',
    ...(violations.length === 0
      ? ['nothing was lost, nothing doubled']
      : [`${violations.length} violations:`, ...violations.map((text) => `- ${text}`)]),
  ].join('\n');
}

function table(survived: readonly Survived[]): string[] {
  const kinds = [...new Set(survived.map(({ fault }) => fault.kind))].sort();
  const rows = kinds.map((kind) => {
    const times = survived.filter(({ fault }) => fault.kind === kind).map((each) => each.recoveredAfter);
    return [
      kind,
      String(times.length),
      seconds(times.reduce((sum, time) => sum + time, 0) / times.length),
      seconds(Math.max(...times)),
    ];
  });
  const all = [['fault', 'times', 'ready after', 'at most'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
