import type { HookEventName } from '../../domain/hooks/hook-events.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';

/** What is told to hooks: one delivery to each that wants it. */
export interface Occasion {
  /** Tells the occasions of one event apart. */
  readonly key: string;
  /** Of the header `X-…-Event`. */
  readonly event: string;
  /** Of the header `X-…-Event-Type`, and what a hook must have among its events. */
  readonly eventType: HookEventName;
  /** By its short name, where a hook's filter is to be asked. */
  readonly branch?: string;
  /** Whose hooks are told, where it is not the repository of the event. */
  readonly of?: RepositoryRow;
  /** Asked for only where a hook wants it; undefined where what it tells of is gone. */
  readonly body: () => Promise<object | undefined>;
}
