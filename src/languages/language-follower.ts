import type { DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { BRANCHES } from '../domain/repositories/refs.js';
import type { RepositoryEvent } from '../domain/repositories/repository-messages.js';
import { follow, type FollowOptions } from '../followers/follow.js';
import { measureLanguages, type MeasureServices } from './measure-languages.js';

type MovesHead = DomainEvent<
  Extract<RepositoryEvent, { type: 'RepositoryCreated' | 'RepositoryEdited' | 'RefsUpdated' }>
>;

/** The log to follow, and the services that measure; `reached` is about the read models in `services.db`. */
export interface LanguageFollowerOptions extends Pick<
  FollowOptions<MovesHead>,
  'log' | 'reached' | 'logger'
> {
  readonly database: DatabaseOptions;
  readonly services: MeasureServices;
}

/**
 * Measures languages after every event that may have moved the tip of a default branch: see `follow`. No other follower
 * waits for it, so a large tree delays only the languages of other repositories.
 */
export const followLanguages = (
  { services, ...options }: LanguageFollowerOptions,
  signal: AbortSignal,
): Promise<void> =>
  follow(
    {
      ...options,
      lease: 'languages',
      checkpoint: fragment`languages.checkpoint`,
      concerns: movesHead,
      handle: (event) => measureLanguages(services, event),
    },
    signal,
  );

function movesHead(event: DomainEvent): event is MovesHead {
  const { type, data } = event as MovesHead;
  switch (type) {
    case 'RepositoryCreated':
      return !data.empty;
    case 'RepositoryEdited':
      return data.changes.defaultBranch !== undefined;
    case 'RefsUpdated':
      return data.updates.some(({ ref, after }) => after !== null && ref.startsWith(BRANCHES));
    default:
      return false;
  }
}
