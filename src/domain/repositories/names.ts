import { invalid } from '../errors.js';
import { isRefName } from './refs.js';

const MAX_CHARACTERS = 100;
const reserved: ReadonlySet<string> = new Set(['.', '..', '-']);
const reservedEndings = /\.(?:git|wiki|rss|atom)$/;

/** Refuses what cannot name a repository. */
export function checkRepositoryName(name: string): void {
  if (name === '') throw invalid('repository.name_missing', 'Name', 'Required');
  if (name.length > MAX_CHARACTERS)
    throw invalid('repository.name_too_long', 'Name', `at most ${MAX_CHARACTERS} characters`);
  if (!/^[A-Za-z0-9_.-]+$/.test(name))
    throw invalid('repository.name_invalid', 'Name', 'letters, digits, - _ and . only');
  const key = repositoryNameKey(name);
  if (reserved.has(key) || reservedEndings.test(key))
    throw invalid('repository.name_reserved', 'Name', `${name} is reserved`);
}

/** What the names of two repositories of an owner must differ in: letter case does not count. */
export const repositoryNameKey = (name: string): string => name.toLowerCase();

/** Refuses what cannot name a branch. */
export function checkBranchName(name: string, field: string): void {
  if (name.length > MAX_CHARACTERS || !isRefName(`refs/heads/${name}`))
    throw invalid('repository.branch_name_invalid', field, `${JSON.stringify(name)} is no name for a branch`);
}
