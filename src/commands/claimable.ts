import type { Decider, Message } from '../domain/decider.js';
import type { ClaimKind } from '../domain/claims/claim.js';
import { systemCommand } from './context.js';
import type { CommandHandler } from './handle.js';

/** Something that one claimant at a time can hold, such as a name, and how to find out what became of a claimant. */
export interface Claimable {
  readonly kind: ClaimKind;
  readonly key: string;
  /** Finds out from a claimant's own stream what became of it. */
  readonly outcome: (commands: CommandHandler, claimantId: number) => Promise<ClaimOutcome>;
  /** Tells whether a claimant shows that it still works, as a long migration does; its claim does not run out then. */
  readonly isAtWork?: (commands: CommandHandler, claimantId: number, now: Date) => Promise<boolean>;
  /** Makes an append fail that the claimant has decided on. Resolves with false if that append was made before. */
  readonly abandon: (commands: CommandHandler, claimantId: number, at: string) => Promise<boolean>;
}

/** Returns the claimant that holds something according to the log; undefined if it is free or only claimed. */
export async function holderOf(
  commands: CommandHandler,
  { kind, key, outcome }: Claimable,
): Promise<number | undefined> {
  const { holder } = (await commands.load(kind, key)).state;
  return holder && (await outcome(commands, holder.claimantId)) === 'holds it'
    ? holder.claimantId
    : undefined;
}

/** `open`: the claimant does not hold it yet, and still may; `gone`: it was abandoned or deleted, and never will. */
export type ClaimOutcome = 'holds it' | 'open' | 'gone';

/** What claims need to know of a claimant's state. One that was `abandoned` before it existed can never be created. */
interface ClaimantState {
  readonly status: 'absent' | 'abandoned' | 'exists' | 'deleted';
}

/**
 * The facts of a command that makes a claimant give up its claim. If it `holds` what it claimed, the command changes
 * nothing.
 */
export interface Abandonment {
  readonly claimantId: number;
  readonly holds: boolean;
  readonly at: string;
}

/**
 * Returns a function that makes `Claimable`s for one kind of claimant. Its `isHeldBy` tells from a claimant's state whether
 * it holds the thing.
 */
export function claimables<Command extends Message, Event extends Message, State extends ClaimantState>(
  claimants: Decider<Command, Event, State>,
  abandonment: (abandonment: Abandonment) => Command,
): (kind: ClaimKind, key: string, isHeldBy: (claimant: State) => boolean) => Claimable {
  return (kind, key, isHeldBy) => {
    const holds = (state: State) => state.status === 'exists' && isHeldBy(state);
    return {
      kind,
      key,
      async outcome(commands, claimantId) {
        const { state } = await commands.load(claimants, claimantId);
        if (state.status === 'abandoned' || state.status === 'deleted') return 'gone';
        return holds(state) ? 'holds it' : 'open';
      },
      async abandon(commands, claimantId, at) {
        let held = false;
        const command = async () => {
          held = holds((await commands.load(claimants, claimantId)).state);
          return abandonment({ claimantId, holds: held, at });
        };
        await commands.handle(claimants, claimantId, command, systemCommand(at));
        return !held;
      },
    };
  };
}
