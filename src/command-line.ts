import { Command, InvalidArgumentError } from 'commander';

/** The exit status for wrong use, and for whatever kept a program from its answer. */
export const EXIT_FAILED = 2;

/** `npm run <script>`: what is wrong with its arguments is told with where to read on, and ends it with status 2. */
export const npmScript = (script: string): Command =>
  new Command(`npm run ${script} --`)
    .showHelpAfterError(`npm run ${script} -- --help tells what it takes.`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_FAILED));

/** A line, or several, for whoever runs the program. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** For an option that takes one id. */
export function idOf(text: string, earlier?: number): number {
  if (earlier !== undefined) throw new InvalidArgumentError('one id at a time.');
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number such as 7 is needed.');
}
