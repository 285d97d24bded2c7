import { expect } from 'chai';
import type { Decider, Message } from '../../src/domain/decider.js';
import { DomainError } from '../../src/domain/errors.js';

interface Outcome<Event> {
  /** These events and no others, in this order; none when nothing changes. */
  then(...events: readonly Event[]): void;
  /** A refusal with this code. */
  thenRefused(code: string): void;
}

/** Says what a decider must do: `given(…events).when(command).then(…events)` or `.thenRefused(code)`. */
export function specification<Command extends Message, Event extends Message, State>(
  decider: Decider<Command, Event, State>,
) {
  const when = (history: readonly Event[], command: Command): Outcome<Event> => {
    const decide = () => {
      const state = history.reduce((state, event) => decider.evolve(state, event), decider.initialState);
      return decider.decide(command, state);
    };
    return {
      then: (...events) => {
        expect(decide()).to.deep.equal(events);
      },
      thenRefused: (code) => {
        expect(decide).to.throw(DomainError).with.property('code', code);
      },
    };
  };
  return {
    given: (...history: readonly Event[]) => ({ when: (command: Command) => when(history, command) }),
  };
}
