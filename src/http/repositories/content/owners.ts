import type { Config } from '../../../config.js';
import type { Queryable } from '../../../database/queryable.js';
import type { CommitFacts, Signature } from '../../../git/port/objects.js';
import type { AccountRow } from '../../../queries/accounts/accounts.js';
import { findAccountsByEmail } from '../../../queries/repositories/commits.js';
import { placeholderDomain } from '../../accounts/presenter.js';
import { isSeen } from '../../accounts/visibility.js';
import type { Caller } from '../../caller.js';

/** The read models, and the address of this server, below which the addresses lie that stand for hidden ones. */
export interface OwnerServices {
  readonly db: Queryable;
  readonly services: { readonly config: Pick<Config, 'baseUrl'> };
}

/** Finds the account with a signature's address; undefined if there is none. */
export type OwnerOf = (signature: Pick<Signature, 'email'>) => AccountRow | undefined;

/** Finds the accounts of all authors and committers together, without those that the caller does not see. */
export async function ownersOf(
  { db, services }: OwnerServices,
  commits: readonly Pick<CommitFacts, 'author' | 'committer'>[],
  caller: Caller,
): Promise<OwnerOf> {
  const emails = commits.flatMap(({ author, committer }) => [author.email, committer.email]);
  const accounts = await findAccountsByEmail(db, emails, placeholderDomain(services.config.baseUrl));
  const people = [...new Map(Array.from(accounts.values(), (account) => [account.id, account])).values()];
  const known = await Promise.all(people.map((account) => isSeen(db, account, caller)));
  const strangers = new Set(people.filter((_, index) => !known[index]).map(({ id }) => id));
  return ({ email }) => {
    const account = accounts.get(email.toLowerCase());
    return account && !strangers.has(account.id) ? account : undefined;
  };
}
