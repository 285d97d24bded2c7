import type { WorldSize } from './size.js';
import { wordOf } from './words.js';

/** The first of the ids that were reserved for each kind. */
export interface FirstIds {
  readonly account: number;
  readonly team: number;
  readonly repository: number;
  readonly label: number;
  readonly issue: number;
  readonly comment: number;
}

export interface Owner {
  readonly id: number;
  readonly name: string;
}

/** Members of the first organization, the reader among them. */
const MEMBERS = 80;
/** Repositories that the reader has to do with in each of three ways, whatever the size of the world. */
const EACH_WAY = 60;
/** Of a hundred others. */
const PUBLIC = 23;

/** How the reader comes to a repository: not at all, where it is hidden. */
export type Way = 'owned' | 'collaborator' | 'team' | 'public' | 'hidden';

/** Who and what there is, by number from 0; everything follows from sizes and first ids. */
export class Plan {
  /** A repository that everybody sees. */
  readonly public = 301;

  constructor(
    readonly size: WorldSize,
    readonly ids: FirstIds,
  ) {}

  user(number: number): Owner {
    return { id: this.ids.account + number, name: wordOf(number) };
  }

  organization(number: number): Owner {
    return { id: this.ids.account + this.size.users + number, name: `org-${wordOf(number)}` };
  }

  /** Who asks: an ordinary user who is in the first organization. */
  get reader(): Owner {
    return this.user(0);
  }

  /** The one with many members; it has the repositories that are looked at closely. */
  get home(): Owner {
    return this.organization(0);
  }

  get members(): number {
    return Math.min(MEMBERS, this.size.users);
  }

  get teamsEach(): number {
    return Math.floor(this.size.teams / this.size.organizations);
  }

  /** The team by which the reader sees hidden repositories of the first organization. */
  get readersTeam(): number {
    return this.ids.team + 1;
  }

  wayOf(number: number): Way {
    const own = (['owned', 'collaborator', 'team'] as const)[Math.floor(number / EACH_WAY)];
    return own ?? (number % 100 < PUBLIC ? 'public' : 'hidden');
  }

  ownerOf(number: number): Owner {
    switch (this.wayOf(number)) {
      case 'team':
        return this.home;
      case 'owned':
        return this.reader;
      default:
        return this.user(1 + (number % (this.size.users - 1)));
    }
  }

  repositoryId(number: number): number {
    return this.ids.repository + number;
  }

  /** The 50 and more that a list of repositories shows, the one with all issues, and the one with many branches. */
  get showcase(): { readonly listed: number; readonly issues: number; readonly branches: number } {
    const first = this.ids.repository + this.size.repositories;
    return { listed: first, issues: first + LISTED, branches: first + LISTED + 1 };
  }
}

/** Repositories of the first organization that everybody sees, whatever the size of the world. */
export const LISTED = 60;
export const ISSUES = 'issues';
export const BRANCHES = 'branches';
/** What issues are about, and how urgent they are: each has one of both. */
export const KINDS = Array.from({ length: 32 }, (_, number) => `kind/${number}`);
export const PRIORITIES = ['priority/high', 'priority/medium', 'priority/low'];
export const LABELS: readonly string[] = [...KINDS, ...PRIORITIES];
