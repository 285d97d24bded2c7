/** `npm run torture`: exit status 1 where something was other than promised. */
import { InvalidArgumentError, Option } from 'commander';
import { npmScript } from '../../src/programs/command-line.js';
import { ALWAYS, OF_DISK, OF_EVENT_STORE, type FaultKind } from './plan/faults.js';
import { reportText } from './report.js';
import { torture } from './torture.js';

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly clients: number;
  readonly store: 'postgresql' | 'eventstoredb';
  readonly only?: FaultKind[];
}

const EVERY_FAULT = [...ALWAYS, ...OF_DISK, ...OF_EVENT_STORE];
const LONGEST_FAULT_MS = 5_000;

const positive = (text: string): number => {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('must be a number above 0');
};

const options = npmScript('torture')
  .description(
    'Loads a site of its own while its processes are killed, paused and cut off; then compares everything.',
  )
  .option('--minutes <n>', 'how long', positive, 2)
  .option(
    '--seed <n>',
    'the same commands and the same faults again',
    positive,
    Math.floor(Math.random() * 2 ** 31),
  )
  .option('--clients <n>', 'how many at once', positive, 32)
  .addOption(
    new Option('--store <kind>', 'where the log is kept')
      .choices(['postgresql', 'eventstoredb'])
      .default('postgresql'),
  )
  .addOption(new Option('--only <faults...>', 'nothing else befalls it').choices(EVERY_FAULT))
  .addHelpText(
    'after',
    '\nExit status: 0 nothing was lost, nothing doubled; 1 something was, and the data are kept; 2 wrong use.',
  )
  .parse()
  .opts<Options>();

const report = await torture({
  ...options,
  seconds: options.minutes * 60,
  longestFaultMs: LONGEST_FAULT_MS,
  keep: true,
  tell: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${reportText(report)}\n`);
process.exit(report.violations.length === 0 ? 0 : 1);
