import { invalid } from '../errors.js';
import { BRANCHES, isRefName, type Refs, TAGS } from './refs.js';
import type { RepositorySettings } from './settings.js';
import { isLonger } from '../characters.js';

const MAX_CHARACTERS = 100;
const reserved: ReadonlySet<string> = new Set(['.', '..', '-']);
const reservedEndings = /\.(?:git|wiki|rss|atom)$/;

/** Refuses what is no valid name of a repository. `field` is the name's field in the request. */
export function checkRepositoryName(name: string, field = 'Name'): void {
  if (name === '') throw invalid('repository.name_missing', field, 'Required');
  if (name.length > MAX_CHARACTERS)
    throw invalid('repository.name_too_long', field, `at most ${MAX_CHARACTERS} characters`);
  if (!/^[A-Za-z0-9_.-]+$/.test(name))
    throw invalid('repository.name_invalid', field, 'letters, digits, - _ and . only');
  const key = repositoryNameKey(name);
  if (reserved.has(key) || reservedEndings.test(key))
    throw invalid('repository.name_reserved', field, `${name} is reserved`);
}

/** Returns the key by which names of repositories are compared: letter case does not count. */
export const repositoryNameKey = (name: string): string => name.toLowerCase();

/** Refuses what is no valid name of a branch in an API request. */
export function checkBranchName(name: string, field: string): void {
  if (!canBeNamed(name, BRANCHES))
    throw invalid('repository.branch_name_invalid', field, `${JSON.stringify(name)} is no name for a branch`);
}

/** As `checkBranchName`, for a branch to begin at: those that were pushed, and the default one, may have any name. */
export function checkBaseBranchName(
  { refs, settings }: { readonly refs: Refs; readonly settings: Pick<RepositorySettings, 'defaultBranch'> },
  name: string,
  field: string,
): void {
  if (name !== settings.defaultBranch && !refs.has(BRANCHES + name)) checkBranchName(name, field);
}

/** Refuses what is no valid name of a tag in an API request. */
export function checkTagName(name: string, field: string): void {
  if (!canBeNamed(name, TAGS))
    throw invalid('repository.tag_name_invalid', field, `${JSON.stringify(name)} is no name for a tag`);
}

/** Stricter than for pushes, because git allows control characters beyond ASCII. */
const canBeNamed = (name: string, below: string) =>
  !isLonger(name, MAX_CHARACTERS) && !/\p{Cc}/u.test(name) && isRefName(below + name);
