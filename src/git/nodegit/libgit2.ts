import { createRequire } from 'node:module';
import type nodegit from 'nodegit';
import { defined } from '../../defined.js';

const require = createRequire(import.meta.url);

let loaded: typeof nodegit | undefined;

/** libgit2 by nodegit, loaded by whoever asks first: 40 MB that a process which opens no repository need not hold. */
export const libgit2 = (): typeof nodegit =>
  (loaded ??= withoutHome(() => require('nodegit') as typeof nodegit));

/** Where it is loaded, libgit2 notes whose settings it will read: those of whoever started this process are not ours. */
function withoutHome<T>(load: () => T): T {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  delete process.env.HOME;
  delete process.env.XDG_CONFIG_HOME;
  try {
    return load();
  } finally {
    Object.assign(process.env, defined({ HOME, XDG_CONFIG_HOME }));
  }
}
