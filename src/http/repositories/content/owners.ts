import type { Queryable } from '../../../database/database.js';
import type { CommitFacts, Signature } from '../../../git/port/objects.js';
import type { AccountRow } from '../../../queries/accounts/accounts.js';
import { findAccountsByEmail } from '../../../queries/repositories/commits.js';
import { isKnown } from '../../accounts/visibility.js';
import type { Caller } from '../../caller.js';

/** Finds the account with a signature's address; undefined if there is none. */
export type OwnerOf = (signature: Pick<Signature, 'email'>) => AccountRow | undefined;

/** Finds the accounts of all authors and committers together, without those that the caller may not know of. */
export async function ownersOf(
  db: Queryable,
  commits: readonly Pick<CommitFacts, 'author' | 'committer'>[],
  caller: Caller,
): Promise<OwnerOf> {
  const emails = commits.flatMap(({ author, committer }) => [author.email, committer.email]);
  const accounts = await findAccountsByEmail(db, emails);
  const people = [...new Map(Array.from(accounts.values(), (account) => [account.id, account])).values()];
  const known = await Promise.all(people.map((account) => isKnown(db, account, caller)));
  const strangers = new Set(people.filter((_, index) => !known[index]).map(({ id }) => id));
  return ({ email }) => {
    const account = accounts.get(email.toLowerCase());
    return account && !strangers.has(account.id) ? account : undefined;
  };
}
