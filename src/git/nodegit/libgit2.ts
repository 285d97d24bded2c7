import { createRequire } from 'node:module';
import type nodegit from 'nodegit';

const require = createRequire(import.meta.url);

/** libgit2 by nodegit, loaded by whoever asks first: 40 MB that a process which opens no repository need not hold. */
export const libgit2 = (): typeof nodegit => require('nodegit') as typeof nodegit;
