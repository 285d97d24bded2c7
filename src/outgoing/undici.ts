import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads undici on first use: it takes 20 MB, which processes without outgoing requests need not spend. */
export const undici = (): typeof import('undici') => require('undici') as typeof import('undici');
