import { conflict } from '../../domain/errors.js';
import { TAGS } from '../../domain/repositories/refs.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import type { Hash } from '../../git/port/hash.js';
import type { Signature } from '../../git/port/objects.js';
import type { Aggregate } from '../aggregates.js';
import type { CommandContext } from '../context.js';
import { checkRoom, checkWritable } from './change-files.js';
import { createRef } from './create-ref.js';
import { publishStaged } from './publish-staged.js';
import { movedEarlier, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** A requested tag. `name` is the short name, without `refs/tags/`, and was checked. */
export interface NewTag extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
  /**
   * Finds the commit that is tagged, in the repository as the log has it. Not called if an earlier attempt of the same
   * command made the tag.
   */
  readonly commit: (repository: Aggregate<RepositoryState>) => Promise<Hash>;
  /** Undefined for a lightweight tag, which has no object of its own. */
  readonly annotation: { readonly message: string; readonly tagger: Signature } | undefined;
}

/** Creates a tag of a commit that is in the repository already. */
export async function createTag(
  services: RefServices,
  { repositoryId, pusherId, name, commit, annotation, ...still }: NewTag,
  context: CommandContext,
): Promise<Pick<RefsMoved, 'position'>> {
  const ref = TAGS + name;
  const earlier = await movedEarlier(services, repositoryId, context);
  if (earlier) return earlier;
  const repository = await services.commands.load(Repository, repositoryId);
  const { state } = repository;
  checkWritable(state);
  await checkRoom(services, state, context);
  const hash = await commit(repository);
  if (state.refs.has(ref)) throw conflict('tag.exists', `tag ${name} already exists`);
  if (!annotation) {
    const change = { ref, before: null, after: hash };
    return createRef(services, { repositoryId, state, pusherId, change, ...still }, context);
  }
  const staging = await services.git.stage(repositoryId);
  try {
    const object = { type: 'commit', hash } as const;
    const after = await staging.writeTag({ name, object, ...annotation });
    const change = { ref, before: null, after };
    const staged = { repositoryId, state, pusherId, staging, change, sizeUnknown: true, ...still };
    return await publishStaged(services, staged, context);
  } finally {
    await staging.discard();
  }
}
