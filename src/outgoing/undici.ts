import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** undici, loaded by whoever asks first: 20 MB that a process which sends no requests need not hold. */
export const undici = (): typeof import('undici') => require('undici') as typeof import('undici');
