import { streamOf, type Decider, type Message } from '../../src/domain/decider.js';

/** What happened in one stream, from its first event on, and who did it. */
export interface Story {
  readonly stream: string;
  readonly actor: { readonly id: number; readonly name: string };
  readonly events: readonly Message[];
}

/** When all of it happened, in milliseconds: the seconds of the story follow one another. */
const BEGINNING = Date.UTC(2026, 0, 1);

/** A moment so many seconds after the beginning, RFC 3339. */
export const after = (seconds: number): string => new Date(BEGINNING + seconds * 1000).toISOString();

/** Runs commands through the domain's rules, so that a world has only events that could have happened. */
export function told<Command extends Message, Event extends Message, State>(
  decider: Decider<Command, Event, State>,
  id: string | number,
  actor: Story['actor'],
  commands: readonly Command[],
): Story {
  let state = decider.initialState;
  const events: Event[] = [];
  for (const command of commands) {
    const decided = decider.decide(command, state);
    for (const event of decided) state = decider.evolve(state, event);
    events.push(...decided);
  }
  return { stream: streamOf(decider, id), actor, events };
}
