/** Who may see an account, besides site administrators and accounts with ties to it: all, the signed in, nobody. */
export type Visibility = 'public' | 'limited' | 'private';

/** A fact about a person; null once the person is erased. */
export type Personal = string | null;

/** How an account is treated, and its preferences. */
export type AccountSettings = {
  readonly sourceId: number;
  readonly visibility: Visibility;
  readonly restricted: boolean;
  readonly active: boolean;
  readonly prohibitLogin: boolean;
  readonly mustChangePassword: boolean;
  readonly allowGitHook: boolean;
  readonly allowImportLocal: boolean;
  readonly allowCreateOrganization: boolean;
  /** The maximum number of repositories that it may own; -1 for the instance's default. */
  readonly maxRepoCreation: number;
  readonly language: string;
  readonly theme: string;
  readonly diffViewStyle: string;
  readonly enableRepoUnitHints: boolean;
  readonly hideEmail: boolean;
  readonly hideActivity: boolean;
  /** Whether administrators of an organization's repositories may add and remove teams there. */
  readonly repoAdminChangeTeamAccess: boolean;
};

/** The profile of the person or organization. */
export type AccountProfile = {
  readonly fullName: string;
  readonly loginName: string;
  readonly website: string;
  readonly location: string;
  readonly pronouns: string;
  readonly description: string;
  /** The primary address. */
  readonly email: string;
  /** All addresses, including the primary one. */
  readonly emails: readonly string[];
};

export const defaultSettings: AccountSettings = {
  sourceId: 0,
  visibility: 'public',
  restricted: false,
  active: true,
  prohibitLogin: false,
  mustChangePassword: false,
  allowGitHook: false,
  allowImportLocal: false,
  allowCreateOrganization: true,
  maxRepoCreation: -1,
  language: '',
  theme: '',
  diffViewStyle: '',
  enableRepoUnitHints: true,
  hideEmail: false,
  hideActivity: false,
  repoAdminChangeTeamAccess: false,
};

export const emptyProfile: AccountProfile = {
  fullName: '',
  loginName: '',
  website: '',
  location: '',
  pronouns: '',
  description: '',
  email: '',
  emails: [],
};
