import {
  EventStoreDBClient,
  jsonEvent,
  type AllStreamResolvedEvent,
  type Position as ClientPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../values/json.js';
import type { EventData, Position, RecordedEvent } from '../event-store.js';
import { withOptions } from './connection-string.js';
import { keepAliveOptions } from './keep-alive.js';

/** The only place for what the client's types lack or declare too loosely. */

type Channel = { close(): void };
type WithChannel = { getChannel(): Promise<Channel> };
type ClientEvent = {
  readonly id: string;
  readonly type: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly position: ClientPosition;
  readonly created: Date;
  readonly data: JsonObject;
  readonly metadata?: JsonObject;
};

/** An event as reads and subscriptions of the client give it. */
export type Resolved = ResolvedEvent | AllStreamResolvedEvent;

/**
 * The option of every read. A follower may not have acknowledged events yet, so that a command could be refused by an
 * outdated rule, or the wait for a write could end before it is visible.
 */
export const FROM_LEADER = { requiresLeader: true } as const;

/** A read under way. */
type Reading = Readable & { cancel(): Promise<void> };

/** Casts a read of the client to a type with the `cancel` that its own types lack. */
export const asReading = (read: unknown): Reading => read as Reading;

const CLOSE_LIMIT_MS = 1_000;
let opened = 0;

/**
 * A client with a TCP connection of its own. gRPC lets channels of equal options to one server share a connection,
 * so a new client would inherit the broken connection it was made to escape: their keep-alive differs by some milliseconds.
 * Refusals are thrown whatever the URL says: the client would answer some of them with a wrong revision.
 */
export function openClient(url: string): EventStoreDBClient {
  opened += 1;
  const options = ['throwOnAppendFailure=true', ...keepAliveOptions(url, opened)];
  return EventStoreDBClient.connectionString(withOptions(url, options));
}

/** Ends the calls of a client and its connection, which the client itself would leave open. Never fails. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  const close = async () => {
    await client.dispose();
    (await (client as unknown as WithChannel).getChannel()).close();
  };
  await Promise.race([close().catch(() => undefined), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
}

/** Returns an event's position for the port: its commit position, which equals its prepare position. */
export const positionOf = (resolved: Resolved): Position => (resolved.event as ClientEvent).position.commit;

/** Returns the name of an event's stream. */
export const streamOf = (resolved: Resolved): string => (resolved.event as ClientEvent).streamId;

/** Tells whether this is no event of ours, but the server's record of a stream that was deleted for ever. */
export const isTombstone = (resolved: Resolved): boolean =>
  (resolved.event as ClientEvent).type === '$streamDeleted';

/** Returns when an event was recorded, by the server's clock. */
export const createdOf = (resolved: Resolved): Date => (resolved.event as ClientEvent).created;

/**
 * Converts the client's position of a checkpoint. The client reads as unsigned the -1 with which the server, from 24.2
 * on, says that it has passed nothing yet.
 */
export const toPosition = ({ commit }: ClientPosition): Position => BigInt.asIntN(64, commit);

/** Converts a position to the client's form. `START` has none: the client has a constant for it. */
export const toClientPosition = (position: Position): ClientPosition => ({
  commit: position,
  prepare: position,
});

/** An event as the client sends it. */
export type Message = ReturnType<typeof jsonEvent>;

/** Converts an event, which must be valid: the client never answers an append that it cannot send. */
export const toMessage = ({ id, type, data, metadata }: EventData): Message =>
  jsonEvent({ id, type, data, metadata });

/** Converts an event of the client to the port's form; its position is the commit position. */
export function toRecordedEvent(resolved: Resolved): RecordedEvent {
  const event = resolved.event as ClientEvent;
  return {
    id: event.id,
    type: event.type,
    stream: event.streamId,
    revision: Number(event.revision),
    position: event.position.commit,
    recordedAt: event.created,
    data: event.data,
    metadata: event.metadata ?? {},
  };
}
