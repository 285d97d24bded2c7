import { DomainError } from '../../domain/errors.js';
import { REFS_MOVED, type RefChange } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { CommandContext } from '../context.js';
import { updateRefs, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** A ref by its full name, and where it was seen. */
export type RefToDelete = Pick<RefsUpdate, 'repositoryId' | 'pusherId' | 'judgedBy' | 'mayStill'> &
  Pick<RefChange, 'ref' | 'before'>;

/** Deletes a ref. Where somebody else deleted it meanwhile it is refused as `absent` says; where it moved, with a conflict. */
export async function deleteRef(
  services: RefServices,
  { ref, before, ...update }: RefToDelete,
  absent: () => DomainError,
  context: CommandContext,
): Promise<RefsMoved> {
  try {
    return await updateRefs(services, { ...update, changes: [{ ref, before, after: null }] }, context);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== REFS_MOVED) throw error;
    const { refs } = (await services.commands.load(Repository, update.repositoryId)).state;
    throw refs.has(ref) ? error : absent();
  }
}
