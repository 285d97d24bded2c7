import { invalid } from '../errors.js';
import { BRANCHES, isRefName, TAGS } from './refs.js';

const MAX_CHARACTERS = 100;
const reserved: ReadonlySet<string> = new Set(['.', '..', '-']);
const reservedEndings = /\.(?:git|wiki|rss|atom)$/;

/** Refuses what cannot name a repository; `field` is what the request calls the name. */
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

/** What the names of two repositories of an owner must differ in: letter case does not count. */
export const repositoryNameKey = (name: string): string => name.toLowerCase();

/** Refuses what a request cannot name a branch. */
export function checkBranchName(name: string, field: string): void {
  if (!canBeNamed(name, BRANCHES))
    throw invalid('repository.branch_name_invalid', field, `${JSON.stringify(name)} is no name for a branch`);
}

/** Refuses what a request cannot name a tag. */
export function checkTagName(name: string, field: string): void {
  if (!canBeNamed(name, TAGS))
    throw invalid('repository.tag_name_invalid', field, `${JSON.stringify(name)} is no name for a tag`);
}

/** Stricter than git, which takes the control characters beyond ASCII from who pushes. */
const canBeNamed = (name: string, below: string) =>
  [...name].length <= MAX_CHARACTERS && !/\p{Cc}/u.test(name) && isRefName(below + name);
