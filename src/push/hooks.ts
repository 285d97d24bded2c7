import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The path of this checkout's folder `hooks`, relative to `dist/src/push`. */
export const HOOKS = fileURLToPath(new URL('../../../hooks', import.meta.url));

/** Rejects if a hook is not executable, because git skips such a hook silently. */
export async function checkHooks(): Promise<void> {
  for (const hook of ['pre-receive', 'proc-receive'])
    await access(`${HOOKS}/${hook}`, constants.R_OK | constants.X_OK);
}
