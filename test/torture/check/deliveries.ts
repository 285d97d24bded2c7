import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../session.js';
import type { HookReceiver } from '../receiver.js';

/** Longer than the first three pauses between attempts, of which a slow machine may take one more than the faults do. */
const PATIENCE_MS = 240_000;
const AGAIN_MS = 100;

/** Everything that was acknowledged is told to the site's hook; what is not by the end is a violation. */
export async function compareDeliveries(
  sessions: readonly Session[],
  receiver: HookReceiver,
): Promise<number> {
  const owed = (session: Session) =>
    [session.shared, ...session.repositories()].flatMap(({ model }) => [...model.owed]);
  const missing = (session: Session) => owed(session).filter((text) => !receiver.told.has(text));
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline && sessions.some((session) => missing(session).length > 0))
    await sleep(AGAIN_MS);
  for (const session of sessions)
    for (const text of missing(session)) session.violation(`hooks were never told of ${text}`);
  return sessions.flatMap(owed).length;
}
