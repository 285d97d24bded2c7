import type { Message } from './decider.js';
import type { EventMetadata } from './metadata.js';

/** An event as the log gave it back: of the current shape, personal fields readable, or null where they are erased. */
export type DomainEvent<E extends Message = Message> = E & {
  readonly id: string;
  readonly stream: string;
  /** What follows the category in the stream's name. */
  readonly streamId: string;
  readonly revision: number;
  readonly position: bigint;
  /** By the log's clock; in a subscription never before the event ahead of it. */
  readonly recordedAt: Date;
  readonly metadata: EventMetadata;
  /** Why only the event's place and type are known: then `data` is empty, and nobody may act on it. */
  readonly unreadable?: Error;
};
