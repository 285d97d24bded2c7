import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** `hooks/` of this checkout, as seen from `dist/src/push`. */
export const HOOKS = fileURLToPath(new URL('../../../hooks', import.meta.url));

/** Rejects where git could not run the hooks, for it passes over one that it cannot run. */
export async function checkHooks(): Promise<void> {
  for (const hook of ['pre-receive', 'proc-receive'])
    await access(`${HOOKS}/${hook}`, constants.R_OK | constants.X_OK);
}
