/** How much there is in a world. Beside it there are the first administrator and what a name of `World` points to. */
export interface WorldSize {
  readonly users: number;
  readonly organizations: number;
  /** Of all organizations together, their owners' teams among them. */
  readonly teams: number;
  readonly repositories: number;
  /** All in one repository. */
  readonly issues: number;
  readonly commentsAnIssue: number;
  /** Of one repository. */
  readonly branches: number;
}

export type WorldName = 'large' | 'small';

const small: WorldSize = {
  users: 100,
  organizations: 10,
  teams: 50,
  repositories: 1_000,
  issues: 1_000,
  commentsAnIssue: 10,
  branches: 4_000,
};

const large: WorldSize = {
  users: 100_000,
  organizations: 10_000,
  teams: 50_000,
  repositories: 100_000,
  issues: 100_000,
  commentsAnIssue: 10,
  branches: 4_000,
};

const quick: WorldSize = {
  ...large,
  users: 5_000,
  organizations: 500,
  teams: 2_500,
  repositories: 5_000,
  issues: 5_000,
};

/** What is compared: an installation of some size, and one that has hardly begun. */
export const sizeOf = (name: WorldName, isQuick: boolean): WorldSize =>
  name === 'small' ? small : isQuick ? quick : large;
