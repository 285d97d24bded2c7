import { randomUUID } from 'node:crypto';
import type { Plan } from './plan.js';
import { branchCommits } from './branch-commits.js';
import { issuesOf } from './issues.js';
import { peopleOf } from './people.js';
import { repositoriesOf } from './repositories.js';
import type { Story } from './story.js';
import type { Connections } from '../../src/connections.js';
import { CommitCache } from '../../src/commit-cache/commit-cache.js';
import type { EventLog } from '../../src/event-log/event-log.js';
import type { Position } from '../../src/event-store/event-store.js';

/** As many as make large groups in the log. */
const APPENDS_AT_ONCE = 256;

/** So many users can sign in with `PASSWORD`, the reader first, or all where there are fewer. */
export const SIGNERS = 400;
export const PASSWORD = 'the password of a user';

/** Writes the events of a world to an empty log. Returns the position at which its people are complete. */
export async function fill({ log, vault, db }: Connections, plan: Plan): Promise<Position> {
  await tell(log, peopleOf(plan));
  const peopleUntil = await log.lastPosition();
  await tell(log, repositoriesOf(plan));
  await tell(log, issuesOf(plan)); // which are of one of them
  await new CommitCache(db).keep(plan.showcase.branches, branchCommits(plan));
  const flags = { active: true, prohibited: false, mustChangePassword: false };
  for (let number = 0; number < Math.min(SIGNERS, plan.size.users); number++)
    await vault.credentials.set(plan.user(number).id, PASSWORD, flags);
  return peopleUntil;
}

async function tell(log: EventLog, stories: Generator<Story>): Promise<void> {
  const append = async () => {
    for (const { stream, actor, events } of stories) {
      const metadata = { actor, $correlationId: randomUUID(), requestId: randomUUID(), at: AT };
      await log.append(stream, 'noStream', events, metadata, randomUUID());
    }
  };
  await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, append));
}

const AT = '2026-01-01T00:00:00.000Z';
