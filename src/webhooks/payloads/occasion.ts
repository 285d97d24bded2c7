import type { HookEventName } from '../../domain/hooks/hook-events.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';

/** Something that hooks are told of, with one delivery to each hook that wants it. */
export interface Occasion {
  /** Distinguishes the occasions of one event. */
  readonly key: string;
  /** The value of the header `X-…-Event`. */
  readonly event: string;
  /** The value of the header `X-…-Event-Type`. Only hooks with it among their events get a delivery. */
  readonly eventType: HookEventName;
  /** Whether only hooks of the whole server are told. */
  readonly isHidden?: boolean;
  /** The short name of the branch, if a hook's branch filter applies. */
  readonly branch?: string;
  /** The repository whose hooks are told, if it is not that of the event. */
  readonly of?: RepositoryRow;
  /**
   * Makes the body; a brief one leaves out the commits of a push, which can be long. Called only if a hook wants it;
   * resolves with undefined if what it is about no longer exists.
   */
  readonly body: (isBrief: boolean) => Promise<object | undefined>;
}
