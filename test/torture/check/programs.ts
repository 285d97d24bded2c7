import { setTimeout as sleep } from 'node:timers/promises';
import type { Finished, Site } from '../../support/processes/site.js';
import type { Violations } from '../violations.js';

interface Program {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Whether what it found is nothing to speak of. */
  readonly isFine: (finished: Finished) => boolean;
  /** How long what it finds may take to pass by itself; no time by default. */
  readonly passesWithinMs?: number;
}

const endsWell = ({ code }: Finished): boolean => code === 0;

/** A creation that was cut off leaves its folder, which may be removed when nobody can be at work on it: in an hour. */
const differsByFoldersAlone = ({ code, stdout }: Finished): boolean =>
  code === 0 ||
  (code === 1 &&
    stdout
      .split('\n')
      .filter((line) => line.startsWith('repository '))
      .every((line) => line.endsWith(': never came to be and is on disk')));

/**
 * What a killed api has reserved lapses after two minutes, and another one settles it within a minute. What it wrote is
 * found in between.
 */
const SETTLED_WITHIN_MS = 200_000;
const LOOK_EVERY_MS = 10_000;

/** The operators' own comparisons. */
const PROGRAMS: readonly Program[] = [
  {
    name: 'reconcile',
    path: 'src/reconcile/main.js',
    args: ['--dry-run'],
    isFine: differsByFoldersAlone,
    passesWithinMs: SETTLED_WITHIN_MS,
  },
  { name: 'audit', path: 'src/audit/main.js', args: ['--verify'], isFine: endsWell },
  { name: 'rebuild', path: 'projections/rebuild/main.js', args: ['--all', '--verify'], isFine: endsWell },
];

/** Read models are what the log makes them; repositories on disk, and what they take, are what it says. */
export async function runPrograms(site: Site, violations: Violations): Promise<void> {
  for (const program of PROGRAMS) {
    const { name, args, isFine } = program;
    const finished = await runUntilFine(site, program);
    const { code, stdout, stderr } = finished;
    if (!isFine(finished))
      violations.add(
        `npm run ${name} -- ${args.join(' ')} ended with ${code}:\n${(stdout + stderr).slice(-3_000)}`,
      );
  }
}

async function runUntilFine(
  site: Site,
  { path, args, isFine, passesWithinMs = 0 }: Program,
): Promise<Finished> {
  const end = performance.now() + passesWithinMs;
  for (;;) {
    const finished = await site.run(path, ...args);
    if (isFine(finished) || performance.now() >= end) return finished;
    await sleep(LOOK_EVERY_MS);
  }
}
