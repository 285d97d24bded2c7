import type { Decider, Message } from '../domain/decider.js';
import type { Reservation } from '../domain/reservations/reservation.js';
import { systemCommand } from './context.js';
import type { CommandHandler } from './handle.js';

/** What one claimant at a time can hold, and what claimants come to. */
export interface Claimable {
  readonly kind: Reservation;
  readonly key: string;
  /** What became of a claimant: it has what it claimed, has it not (yet), or is nobody any more. */
  readonly outcome: (commands: CommandHandler, claimantId: number) => Promise<ClaimOutcome>;
  /** Whether a claimant shows that it is still at it: then its claim stands, however long it takes. */
  readonly isAtWork?: (commands: CommandHandler, claimantId: number, now: Date) => Promise<boolean>;
  /** Makes what the claimant decided before fail; false where it came to what it claimed at the last moment. */
  readonly abandon: (commands: CommandHandler, claimantId: number, at: string) => Promise<boolean>;
}

/** Who holds something, by the log; undefined where nobody does, or not yet. */
export async function holderOf(
  commands: CommandHandler,
  { kind, key, outcome }: Claimable,
): Promise<number | undefined> {
  const { holder } = (await commands.load(kind, key)).state;
  return holder && (await outcome(commands, holder.claimantId)) === 'holds it'
    ? holder.claimantId
    : undefined;
}

/** `open`: the claimant has it not and may still come to it; `gone`: it was abandoned or deleted, and never will. */
export type ClaimOutcome = 'holds it' | 'open' | 'gone';

/** A claimant as claims see it; `abandoned` can never exist. */
interface ClaimantState {
  readonly status: 'absent' | 'abandoned' | 'exists' | 'deleted';
}

/** What a claimant is told whose claim is given up; nothing is abandoned where it `holds` what it claimed. */
export interface Abandonment {
  readonly claimantId: number;
  readonly holds: boolean;
  readonly at: string;
}

/** Things that claimants of one kind can hold: `isHeldBy` says whether a claimant that exists does. */
export function claimables<Command extends Message, Event extends Message, State extends ClaimantState>(
  claimants: Decider<Command, Event, State>,
  abandonment: (abandonment: Abandonment) => Command,
): (kind: Reservation, key: string, isHeldBy: (claimant: State) => boolean) => Claimable {
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
