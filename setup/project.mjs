import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A path inside the project. */
export const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Something that only the person at the keyboard can mend: its message is all they need to read. */
export class SetupError extends Error {}

/** Runs a program in the project; all it prints goes to stderr, as stdout is for answers. Throws `SetupError` when it fails. */
export function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...env },
  });
  if (status !== 0)
    throw new SetupError(`${[program, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Whether a program can be run and ends well. */
export const succeeds = (program, args) =>
  spawnSync(program, args, { cwd: root, stdio: 'ignore' }).status === 0;
