import type { Decider, Message } from '../domain/decider.js';
import { step, type CommandContext } from './context.js';
import type { CommandHandler } from './handle.js';

/**
 * Handles a command again and again, until it gives no events: for what one append cannot hold. Each time is a step of its
 * own, so that the command whose steps these are is not found to be done by them.
 */
export async function handleInSteps<Command extends Message, Event extends Message, State>(
  commands: CommandHandler,
  decider: Decider<Command, Event, State>,
  id: string | number,
  command: Command | (() => Promise<Command>),
  { context, name }: { readonly context: CommandContext; readonly name: string },
): Promise<void> {
  for (let round = 1, isDone = false; !isDone; round++) {
    const { events } = await commands.handle(decider, id, command, step(context, `${name}, round ${round}`));
    isDone = events.length === 0;
  }
}
