import type { DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { follow, type FollowOptions } from '../followers/follow.js';
import type { IssueReferences, RefsUpdated } from './issue-references.js';

/** The log to follow, and the handler of pushes; `reached` is about the read models that `references` uses. */
export interface ReferenceFollowerOptions extends Pick<
  FollowOptions<RefsUpdated>,
  'log' | 'reached' | 'logger'
> {
  readonly database: DatabaseOptions;
  readonly references: Pick<IssueReferences, 'handle'>;
}

/** Passes every push to the issue references: see `follow`. */
export const followReferences = (
  { references, ...options }: ReferenceFollowerOptions,
  signal: AbortSignal,
): Promise<void> =>
  follow(
    {
      ...options,
      lease: 'issue-references',
      checkpoint: fragment`issue_references.checkpoint`,
      concerns: isPush,
      handle: (push) => references.handle(push),
    },
    signal,
  );

const isPush = (event: DomainEvent): event is RefsUpdated => event.type === 'RefsUpdated';
