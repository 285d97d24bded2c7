import { createRequire } from 'node:module';
import type nodegit from 'nodegit';
import { defined } from '../../values/defined.js';

const require = createRequire(import.meta.url);

let loaded: typeof nodegit | undefined;

/** Returns nodegit, loaded at the first call: processes that open no repository save its 40 MB. */
export const libgit2 = (): typeof nodegit =>
  (loaded ??= withoutHome(() => require('nodegit') as typeof nodegit));

/** Loads libgit2 without a home folder, because it would read the settings of the user who started this process. */
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
