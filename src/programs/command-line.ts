import { Command, InvalidArgumentError } from 'commander';

/** The exit status for wrong usage, and for any error that kept a program from finishing. */
export const EXIT_FAILED = 2;

/**
 * Returns the command for `npm run <script>`. Wrong arguments are reported with a pointer to `--help`, and end it with
 * status 2.
 */
export const npmScript = (script: string): Command =>
  new Command(`npm run ${script} --`)
    .showHelpAfterError(`npm run ${script} -- --help tells what it takes.`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_FAILED));

/** Prints a line, or several, on standard output. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Parses the value of an option that takes exactly one id. */
export function idOf(text: string, earlier?: number): number {
  if (earlier !== undefined) throw new InvalidArgumentError('one id at a time.');
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number such as 7 is needed.');
}
