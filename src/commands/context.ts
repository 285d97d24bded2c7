import { randomUUID } from 'node:crypto';
import type { EventMetadata } from '../domain/metadata.js';
import { stepId } from '../event-log/event-id.js';

/** Where a command comes from: what its events say of it besides their facts. */
export interface CommandContext {
  /** The same command has the same id, however often it is tried. Each command or step that appends has its own. */
  readonly commandId: string;
  /** When the command was taken, RFC 3339. */
  readonly at: string;
  /** Absent where the system itself acts. */
  readonly actor?: EventMetadata['actor'];
  readonly requestId?: string;
  /** The command that began it all; by default this one. */
  readonly correlationId?: string;
  /** The client may send the command again (it gave an Idempotency-Key): the log is then asked whether it has been done. */
  readonly repeatable?: boolean;
  /** The stream that an earlier attempt of this command was about to append to, where that is known. */
  readonly attempted?: string | undefined;
  /** Told, before each append of this command, the stream that will say whether it has been done; steps do not tell. */
  readonly beforeAppend?: ((stream: string) => Promise<void> | void) | undefined;
}

/** The context of a command that nobody asked for: the system's own, new each time. */
export const systemCommand = (at = new Date().toISOString()): CommandContext => ({
  commandId: randomUUID(),
  at,
});

/** The context of one step of a command that takes several appends; the one that counts has the command's own. */
export const step = (context: CommandContext, name: string): CommandContext => ({
  ...context,
  beforeAppend: undefined,
  commandId: stepId(context.commandId, name),
  correlationId: context.correlationId ?? context.commandId,
});

/** The context of a command that is new each time, even in a request that is sent again: its outcome may be another by then. */
export const ownCommand = (context: CommandContext): CommandContext => ({
  ...context,
  beforeAppend: undefined,
  commandId: randomUUID(),
  correlationId: context.correlationId ?? context.commandId,
  repeatable: false,
});
