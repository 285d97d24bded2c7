import type { JsonObject } from '../values/json.js';
import type { SnapshotForm } from './snapshot.js';

/** A command or an event: its type and its data. */
export interface Message<Type extends string = string, Data extends JsonObject = JsonObject> {
  readonly type: Type;
  readonly data: Data;
}

/** The data of one type of command or event. */
export type DataOf<Messages extends Message, Type extends Messages['type']> = Extract<
  Messages,
  { type: Type }
>['data'];

/**
 * An aggregate: `decide` says what may happen, `evolve` applies what did. Both are pure: the clock, new ids and facts
 * from outside are passed in the command. `decide` throws a `DomainError` to refuse, and returns no events if nothing
 * changes. Its streams are named `category-id`.
 */
export interface Decider<Command extends Message, Event extends Message, State> {
  readonly category: string;
  readonly initialState: State;
  evolve(state: State, event: Event): State;
  decide(command: Command, state: State): readonly Event[];
  /** The memory that a state takes. For states with texts of such different lengths that a sample would mislead. */
  bytesOf?(state: State): number;
  /** For streams that grow without bound. The state is stored as it is, so that it must hold no personal field. */
  readonly snapshot?: SnapshotForm<State>;
}

/** Returns the name of an aggregate's stream. */
export const streamOf = ({ category }: { readonly category: string }, id: string | number): string =>
  `${category}-${id}`;
