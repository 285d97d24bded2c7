import { Known } from './known.js';

/** An issue as it is compared: its state and its labels. */
export interface IssueState {
  readonly state: 'open' | 'closed';
  readonly labels: readonly string[];
}

export const issueText = ({ state, labels }: IssueState): string => [state, ...[...labels].sort()].join(' ');

export const issueState = (text: string): IssueState => {
  const [state, ...labels] = text.split(' ');
  return { state: state === 'closed' ? 'closed' : 'open', labels };
};

/** What one client knows of a repository: all of its own, and its own part of one that is shared. */
export class RepositoryModel {
  /** Commits by branch. */
  branches = new Known<string>();
  /** Ids of blobs by path, of the branch `main`. */
  files = new Known<string>();
  readonly issues = new Known<string>();
  readonly labels = new Known<string>();
  readonly comments = new Known<string>();
  /** Ids of hooks, by address. */
  readonly hooks = new Known<string>();
  /** What the hooks of the site must be told of it, as `receiver.ts` says that, unless it is deleted first. */
  readonly owed = new Set<string>();
  /** The numbers and ids that the server gave, by name; they stay when a value comes to be in doubt. */
  readonly numbers = new Map<string, number>();
  readonly labelIds = new Map<string, number>();

  /** What others put into a shared one has names that do not begin with `prefix`. */
  constructor(
    readonly prefix: string,
    readonly isShared: boolean,
    readonly isFork = false,
  ) {}

  /** Whether the thing of this name is the client's. */
  isOwn(name: string): boolean {
    return !this.isShared || name.startsWith(this.prefix);
  }

  /** What a fork begins with. */
  forked(): RepositoryModel {
    const fork = new RepositoryModel(this.prefix, false, true);
    fork.branches = this.branches.copy();
    fork.files = this.files.copy();
    return fork;
  }
}
