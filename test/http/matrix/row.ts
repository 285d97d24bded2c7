import type { CallerName } from './callers.js';
import type { Outcome, Policy } from './policy.js';
import type { Sender } from './everybody.js';
import type { World } from './world.js';

/** What the parameters of a path are, by name. */
export type Names = Readonly<Record<string, string | number>>;

/** What one parameter is. */
export type Name = (world: World) => string | number;

/** Something else that the path may name. */
export interface Other {
  readonly what: string;
  readonly names: (world: World) => Names;
  /** Who is asked and what is answered; by default to everybody as if it were not there. */
  readonly answers?: Partial<Readonly<Record<CallerName, Outcome>>>;
  /** 404 must be the very answer to a first name of the path that is nobody's. */
  readonly hidden?: true;
}

/** What the matrix must know of one operation. */
export interface Row {
  readonly policy: Policy;
  /** What the path names; parameters left out are the world's own. */
  readonly names?: (world: World) => Names;
  /** Something that a call may use up, made for each one that is to succeed; `caller` makes that one. */
  readonly fresh?: (world: World, caller: Sender) => Promise<Names>;
  /** Valid; `unique` is a name that nothing has yet, `names` what the path and `fresh` name. */
  readonly body?: (unique: string, names: Names) => unknown;
  /** With its question mark. */
  readonly query?: string;
  readonly others?: readonly Other[];
  /** What is there, but below another parent, by the parameter that names it: answered to the letter as what is nobody's. */
  readonly elsewhere?: Readonly<Record<string, Name>>;
  /** Where a name that is nobody's, of this parameter, is answered otherwise than the policy has it. */
  readonly absent?: Readonly<Record<string, Other['answers']>>;
}

export type Rows = Readonly<Record<string, Row>>;
