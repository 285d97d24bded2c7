import { Random } from '../../support/random.js';

/** What a client does, and how often among all that it does. */
const WEIGHTS = {
  quota: 12,
  createUser: 3,
  deleteUser: 2,
  createOrganization: 2,
  deleteOrganization: 1,
  createTeam: 3,
  addMember: 4,
  removeMember: 3,
  leaveLastOwner: 1,
  createRepository: 6,
  deleteRepository: 2,
  transferRepository: 2,
  forkRepository: 2,
  writeFile: 16,
  deleteFile: 3,
  createBranch: 4,
  deleteBranch: 2,
  push: 14,
  pushDeletion: 2,
  openIssue: 12,
  editIssue: 6,
  createLabel: 3,
  setLabels: 5,
  comment: 8,
  hook: 2,
  read: 10,
} as const;

export type Kind = keyof typeof WEIGHTS;

/** One thing that a client does. What it does it to follows from `seed` and from what is there by then. */
export interface Step {
  readonly kind: Kind;
  readonly seed: number;
  /** With an `Idempotency-Key`, under which it is sent until there is an answer. */
  readonly keyed: boolean;
  /** After so many milliseconds the client hangs up. */
  readonly patienceMs: number;
}

const KINDS = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind));
const PATIENCE_MS = 30_000;
const LEAST_PATIENCE_MS = 10;
const IMPATIENT_MS = 400;

/** The steps of one client, without end: the same for the same seed. */
export function* stepsOf(seed: number, client: number): Generator<Step, never> {
  const random = new Random(seed + client * 7919);
  for (;;) {
    const kind = random.pick(KINDS);
    const stepSeed = random.below(2 ** 31);
    const keyed = random.chance(0.7);
    const patience = LEAST_PATIENCE_MS + random.below(IMPATIENT_MS);
    yield { kind, seed: stepSeed, keyed, patienceMs: random.chance(0.03) ? patience : PATIENCE_MS };
  }
}
