import { followOwner } from '../../commands/repositories/edit-repository.js';
import type { Actions } from '../actions.js';
import { basesOf, forksOf } from './forks-of.js';

/** What follows in repositories once an account hides what it has, or does so no more, at that position. */
export async function followAccount(
  { db, services, context, wrote }: Pick<Actions, 'context' | 'db' | 'services' | 'wrote'>,
  accountId: number,
  position: bigint,
): Promise<void> {
  const repositories = { ...services, forksOf: forksOf({ db, wrote }), basesOf: basesOf({ db, wrote }) };
  await wrote(await followOwner(repositories, accountId, context, position));
}
