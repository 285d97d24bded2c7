import { followOwner } from '../../commands/repositories/edit-repository.js';
import type { Position } from '../../event-store/event-store.js';
import type { Actions } from '../actions.js';
import { basesOf, forksOf } from './forks-of.js';

/** Updates an account's repositories after an edit at that position changed its visibility. */
export async function followAccount(
  { db, services, context, wrote }: Pick<Actions, 'context' | 'db' | 'services' | 'wrote'>,
  before: { readonly id: number; readonly visibility: string },
  edit: { readonly visibility: string | undefined; readonly position: Position },
): Promise<void> {
  if (edit.visibility === undefined || edit.visibility === before.visibility) return;
  const repositories = { ...services, forksOf: forksOf({ db, wrote }), basesOf: basesOf({ db, wrote }) };
  await wrote(await followOwner(repositories, before.id, context, edit.position));
}
