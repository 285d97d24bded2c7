import type { Decider, Message } from '../domain/decider.js';
import type { Position } from '../event-store/event-store.js';
import { step, type CommandContext } from './context.js';
import type { CommandHandler } from './handle.js';

/**
 * Handles a command again and again, until it gives no events: for what one append cannot hold. Each time is a step of its
 * own, so that the command whose steps these are is not found to be done by them. Resolves with the last position.
 */
export async function handleInSteps<Command extends Message, Event extends Message, State>(
  commands: CommandHandler,
  decider: Decider<Command, Event, State>,
  id: string | number,
  command: Command | (() => Promise<Command>),
  { context, name }: { readonly context: CommandContext; readonly name: string },
): Promise<Position> {
  for (let round = 1; ; round++) {
    const own = step(context, `${name}, round ${round}`);
    const { events, position } = await commands.handle(decider, id, command, own);
    if (events.length === 0) return position;
  }
}
