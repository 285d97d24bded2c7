import type { CommandHandler } from '../commands/handle.js';
import type { Queryable } from '../database/database.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { RepositoryLanguages } from '../domain/repositories/languages.js';
import { stepId } from '../event-log/event-id.js';
import type { Git } from '../git/git.js';
import { findHead } from '../queries/repositories/heads.js';
import { languagesOf } from './languages-of.js';

/** `db` says where the default branch is and what was measured; of git, trees are read and no files. */
export interface MeasureServices {
  readonly db: Queryable;
  readonly commands: Pick<CommandHandler, 'handle'>;
  readonly git: Pick<Git, 'files'>;
}

/**
 * Records what a repository is written in where its default branch is now, which may be further than the event: a burst
 * of pushes is then measured once. The read models must have passed the event; the same is not recorded twice.
 */
export async function measureLanguages(
  { db, commands, git }: MeasureServices,
  { id, streamId, metadata }: DomainEvent,
): Promise<void> {
  const repositoryId = Number(streamId);
  const head = await findHead(db, repositoryId);
  if (!head || head.hash === head.languages_of) return;
  const { hash: commit } = head;
  const languages = await languagesOf(git, repositoryId, commit);
  const at = new Date().toISOString();
  await commands.handle(
    RepositoryLanguages,
    repositoryId,
    { type: 'RecordLanguages', data: { commit, languages, at } },
    {
      commandId: stepId(id, `languages of ${commit}`),
      at,
      correlationId: metadata.$correlationId,
      repeatable: true,
    },
  );
}
