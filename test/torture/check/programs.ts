import type { Finished, Site } from '../../support/processes/site.js';
import type { Violations } from '../violations.js';

interface Program {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Whether what it found is nothing to speak of. */
  readonly isFine: (finished: Finished) => boolean;
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

/** The operators' own comparisons. */
const PROGRAMS: readonly Program[] = [
  {
    name: 'reconcile',
    path: 'src/reconcile/main.js',
    args: ['--dry-run'],
    isFine: differsByFoldersAlone,
  },
  { name: 'audit', path: 'src/audit/main.js', args: ['--verify'], isFine: endsWell },
  { name: 'rebuild', path: 'projections/rebuild/main.js', args: ['--all', '--verify'], isFine: endsWell },
];

/** Read models are what the log makes them; repositories on disk, and what they take, are what it says. */
export async function runPrograms(site: Site, violations: Violations): Promise<void> {
  for (const { name, path, args, isFine } of PROGRAMS) {
    const finished = await site.run(path, ...args);
    const { code, stdout, stderr } = finished;
    if (!isFine(finished))
      violations.add(
        `npm run ${name} -- ${args.join(' ')} ended with ${code}:\n${(stdout + stderr).slice(-3_000)}`,
      );
  }
}
