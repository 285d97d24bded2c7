import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder with package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the absolute path of a file in the project. */
export const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A problem that only the user can solve. The message says how; a stack would not help. */
export class SetupError extends Error {}

/** The descriptors that `run` hands on besides those of output. */
export const inherited = [];

/** Runs a program, with its output on stderr: stdout is for results. Throws `SetupError` if it fails. */
export function run(program, args, env = {}, cwd = root) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', 2, 2, ...inherited],
    env: { ...process.env, ...env },
  });
  if (status !== 0)
    throw new SetupError(`${[program, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Tells whether a program can be started and ends with status 0. */
export const succeeds = (program, args) =>
  spawnSync(program, args, { cwd: root, stdio: 'ignore' }).status === 0;
