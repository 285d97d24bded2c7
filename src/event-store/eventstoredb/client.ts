import {
  EventStoreDBClient,
  jsonEvent,
  type AllStreamResolvedEvent,
  type Position as ClientPosition,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../json.js';
import type { EventData, Position, RecordedEvent } from '../event-store.js';

/** What the client's types leave out or say too loosely stands here and nowhere else. */

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
 * What every read asks for. A follower may not hold yet what was acknowledged: a command would be refused for what is no
 * longer so, or the wait for a write would end before it shows.
 */
export const FROM_LEADER = { requiresLeader: true } as const;

/** A read under way. */
type Reading = Readable & { cancel(): Promise<void> };

/** A read of the client's, with the `cancel` that its types leave out. */
export const asReading = (read: unknown): Reading => read as Reading;

const CLOSE_LIMIT_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 3_000;
let opened = 0;

/**
 * A client with a TCP connection of its own. gRPC lets channels of equal options to one server share a connection,
 * so a new client would inherit the broken connection it was made to escape: each gets a keep-alive time-out that
 * differs by some milliseconds, unless the URL gives one. Refusals are thrown whatever the URL says: the client
 * would answer some of them with a wrong revision.
 */
export function openClient(url: string): EventStoreDBClient {
  opened += 1;
  const options = ['throwOnAppendFailure=true'];
  if (!/keepalivetimeout=/i.test(url)) {
    options.push(`keepAliveTimeout=${KEEP_ALIVE_TIMEOUT_MS + (opened % 1_000)}`);
  }
  return EventStoreDBClient.connectionString(`${url}${url.includes('?') ? '&' : '?'}${options.join('&')}`);
}

/** Ends the calls of a client and its connection, which the client itself would leave open. Never fails. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  const close = async () => {
    await client.dispose();
    (await (client as unknown as WithChannel).getChannel()).close();
  };
  await Promise.race([close().catch(() => undefined), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
}

/** The port's position of an event; the server's prepare position equals its commit position. */
export const positionOf = (resolved: Resolved): Position => (resolved.event as ClientEvent).position.commit;

/** The name of the stream that an event stands in. */
export const streamOf = (resolved: Resolved): string => (resolved.event as ClientEvent).streamId;

/** Whether it is not an event but what the server writes of a stream that was deleted for good. */
export const isTombstone = (resolved: Resolved): boolean =>
  (resolved.event as ClientEvent).type === '$streamDeleted';

/** When the server recorded an event, by the server's clock. */
export const createdOf = (resolved: Resolved): Date => (resolved.event as ClientEvent).created;

/** The client's form of an event's position. `START` has none: the client has a constant for it. */
export const toClientPosition = (position: Position): ClientPosition => ({
  commit: position,
  prepare: position,
});

/** An event as the client sends it. */
export type Message = ReturnType<typeof jsonEvent>;

/** Call it on valid events only: the client leaves appends that it cannot send without an answer. */
export const toMessage = ({ id, type, data, metadata }: EventData): Message =>
  jsonEvent({ id, type, data, metadata });

/** An event of the client's as the port has it; its position is the commit position. */
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
