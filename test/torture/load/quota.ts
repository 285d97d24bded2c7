import { randomCommand, requestOf } from '../../support/processes/quota-commands.js';
import type { Random } from '../../support/random.js';
import type { Session } from '../session.js';

/** Changes rules, groups and who is in them; always keyed, because one command may change many things. */
export async function quota(session: Session, random: Random): Promise<void> {
  const { world, options } = session;
  const command = randomCommand(random, options.quotaNames);
  const { method, path, body } = requestOf(command);
  const outcome = world.quota.after(command);
  session.how = { ...session.how, keyed: true };
  await session.writeAsAdmin(method, path, body, outcome.status);
  world.quota = outcome.model;
}
