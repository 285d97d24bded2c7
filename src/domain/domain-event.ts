import type { Message } from './decider.js';
import type { EventMetadata } from './metadata.js';

/** An event as read from the log: in its current shape, with personal fields decrypted, or null if they were erased. */
export type DomainEvent<E extends Message = Message> = E & {
  readonly id: string;
  readonly stream: string;
  /** The part of the stream's name after the category. */
  readonly streamId: string;
  readonly revision: number;
  readonly position: bigint;
  /** The time by the log's clock. In a subscription it is never before that of the preceding event. */
  readonly recordedAt: Date;
  readonly metadata: EventMetadata;
  /** Why the event is unreadable. Only its place and type are known then: `data` is empty, and nobody may act on it. */
  readonly unreadable?: Error;
};
