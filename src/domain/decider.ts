import type { JsonObject } from '../json.js';
import type { SnapshotForm } from './snapshot.js';

/** A command or an event: a name and its facts. */
export interface Message<Type extends string = string, Data extends JsonObject = JsonObject> {
  readonly type: Type;
  readonly data: Data;
}

/** The facts of one type of command or event. */
export type DataOf<Messages extends Message, Type extends Messages['type']> = Extract<
  Messages,
  { type: Type }
>['data'];

/**
 * One aggregate: what may happen (`decide`) and what did (`evolve`). Both are pure: the clock, new ids and outside
 * facts arrive in the command. `decide` throws a `DomainError` to refuse, and returns no events when nothing changes.
 * Its streams are named `category-id`.
 */
export interface Decider<Command extends Message, Event extends Message, State> {
  readonly category: string;
  readonly initialState: State;
  evolve(state: State, event: Event): State;
  decide(command: Command, state: State): readonly Event[];
  /** For streams that grow without end. The state must hold no personal field: it is kept as it is. */
  readonly snapshot?: SnapshotForm<State>;
}

/** The name of the stream of one aggregate. */
export const streamOf = ({ category }: { readonly category: string }, id: string | number): string =>
  `${category}-${id}`;
