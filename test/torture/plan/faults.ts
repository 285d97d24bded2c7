import { Random } from '../../support/random.js';

/** What is done to the site, and how often among all that is done. */
const WEIGHTS = {
  'kill api': 4,
  'kill starter': 2,
  'kill projector': 3,
  'kill dispatcher': 2,
  'kill postgres': 3,
  'kill keeper': 1,
  'kill supervisor': 1,
  'kill everything': 2,
  'pause api': 2,
  'pause projector': 2,
  'pause dispatcher': 1,
  'pause postgres': 2,
  'cut connections': 3,
  'freeze connections': 2,
  'receiver fails': 1,
  'fill disk': 1,
  'kill event store': 2,
  'freeze event store': 2,
  'cut event store': 2,
  'lose appends': 2,
} as const;

export type FaultKind = keyof typeof WEIGHTS;

export interface Fault {
  readonly kind: FaultKind;
  /** Milliseconds of peace before it. */
  readonly after: number;
  /** Milliseconds that it takes, where it is nothing that is over at once. */
  readonly lasts: number;
}

const MOST_PEACE_MS = 2_000;

/** The faults of a run, without end: the same for the same seed and the same possibilities. Every kind comes soon. */
export function* faultsOf(
  seed: number,
  possible: readonly FaultKind[],
  longestMs: number,
): Generator<Fault, never> {
  const random = new Random(seed ^ 0x5eed);
  for (;;) {
    for (const kind of random.shuffled(
      possible.flatMap((each) => Array<FaultKind>(WEIGHTS[each]).fill(each)),
    ))
      yield { kind, after: random.below(MOST_PEACE_MS), lasts: 100 + random.below(longestMs) };
  }
}

/** Those that befall any installation. */
export const ALWAYS: readonly FaultKind[] = [
  'kill api',
  'kill starter',
  'kill projector',
  'kill dispatcher',
  'kill postgres',
  'kill keeper',
  'kill supervisor',
  'kill everything',
  'pause api',
  'pause projector',
  'pause dispatcher',
  'pause postgres',
  'cut connections',
  'freeze connections',
  'receiver fails',
];

export const OF_EVENT_STORE: readonly FaultKind[] = [
  'kill event store',
  'freeze event store',
  'cut event store',
  'lose appends',
];

export const OF_DISK: readonly FaultKind[] = ['fill disk'];
