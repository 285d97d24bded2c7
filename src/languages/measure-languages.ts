import type { CommandHandler } from '../commands/handle.js';
import type { Queryable } from '../database/queryable.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { RepositoryLanguages } from '../domain/repositories/languages.js';
import { stepId } from '../event-log/event-id.js';
import type { Git } from '../git/git.js';
import { findHead } from '../queries/repositories/heads.js';
import { languagesOf } from './languages-of.js';

/** `db` has the default branch and the last measurement; git only reads trees, no files. */
export interface MeasureServices {
  readonly db: Queryable;
  readonly commands: Pick<CommandHandler, 'handle'>;
  readonly git: Pick<Git, 'files'>;
}

/**
 * Records the languages at the present tip of the default branch, which may be newer than the event: a burst of pushes is
 * measured only once. The read models must have passed the event; an unchanged result is not recorded again.
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
