import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventMetadata } from '../domain/metadata.js';
import { stepId } from '../event-log/event-id.js';

/** Where a command comes from, which becomes the metadata of its events, and how it may be repeated. */
export interface CommandContext {
  /**
   * Stays the same however often the command is tried, since event ids follow from it. Each step that appends has its
   * own.
   */
  readonly commandId: string;
  /** When the command was received, RFC 3339. */
  readonly at: string;
  /** Absent where the system itself acts. */
  readonly actor?: EventMetadata['actor'];
  readonly publicOnly?: EventMetadata['publicOnly'];
  readonly requestId?: string;
  /** The id of the command that this one is a step or consequence of; by default its own. */
  readonly correlationId?: string;
  /**
   * Whether the client may send the command again (it gave an Idempotency-Key): the log is then searched for its events
   * first.
   */
  readonly repeatable?: boolean;
  /** The stream that an earlier attempt of this command was about to append to; absent where none is known. */
  readonly attempted?: string | undefined;
  /**
   * Called with the stream before each append of this command, so that a later attempt knows where to look. Steps do not
   * call it.
   */
  readonly beforeAppend?: ((stream: string) => Promise<void> | void) | undefined;
}

/** Returns the context of a new command of the system itself. */
export const systemCommand = (at = new Date().toISOString()): CommandContext => ({
  commandId: randomUUID(),
  at,
});

/**
 * Returns the context of one step of a command that makes several appends. The decisive append uses the command's own
 * context.
 */
export const step = (context: CommandContext, name: string): CommandContext => ({
  ...context,
  beforeAppend: undefined,
  commandId: stepId(context.commandId, name),
  correlationId: context.correlationId ?? context.commandId,
});

/**
 * Returns the context of a command with a new id, also when its request is sent again, because its outcome may then
 * differ.
 */
export const ownCommand = (context: CommandContext): CommandContext => ({
  ...context,
  beforeAppend: undefined,
  commandId: randomUUID(),
  correlationId: context.correlationId ?? context.commandId,
  repeatable: false,
});

/** Returns the context for commands that complete the request which caused an event; `name` distinguishes its steps. */
export const inTheNameOf = ({ id, metadata }: DomainEvent, name: string): CommandContext => ({
  commandId: stepId(id, name),
  at: new Date().toISOString(),
  correlationId: metadata.$correlationId,
  ...(metadata.actor && { actor: metadata.actor }),
});
