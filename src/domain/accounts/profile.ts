/** Who may know of an account besides site administrators and those with ties to it: all, the signed in, nobody. */
export type Visibility = 'public' | 'limited' | 'private';

/** A fact about a person; null once the person is erased. */
export type Personal = string | null;

/** How an account is treated, and how it likes things. */
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
  /** The repositories that it may own; -1 is what the instance allows. */
  readonly maxRepoCreation: number;
  readonly language: string;
  readonly theme: string;
  readonly hideEmail: boolean;
  readonly hideActivity: boolean;
  /** Of an organization: administrators of its repositories may let teams in and out. */
  readonly repoAdminChangeTeamAccess: boolean;
};

/** What is told of the person (or organization) itself. */
export type AccountProfile = {
  readonly fullName: string;
  readonly loginName: string;
  readonly website: string;
  readonly location: string;
  readonly pronouns: string;
  readonly description: string;
  /** The primary address. */
  readonly email: string;
  /** Every address, the primary one among them. */
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
