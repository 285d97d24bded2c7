import { untilShown } from './moment.js';
import type { Services } from './services.js';

/**
 * Runs work that adds to what is limited, such as the repositories of an owner: one at a time in all processes, and only
 * once the read models show what was added before, so that each counts for the next. `kind` and `whose` say what is limited.
 * Throws 503 as `untilShown`.
 */
export const oneAtATime = <T>(
  services: Pick<Services, 'vault' | 'log' | 'readYourWrites'>,
  { kind, whose }: { readonly kind: string; readonly whose: string },
  work: () => Promise<T>,
): Promise<T> =>
  services.vault.withKeyLock(services.vault.digest(kind, whose), async () => {
    await untilShown(services);
    return work();
  });
