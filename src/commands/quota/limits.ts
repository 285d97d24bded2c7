import { Account } from '../../domain/accounts/account.js';
import { applicableGroups } from '../../domain/quota/evaluation.js';
import { groupsOf } from '../../domain/quota/groups.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../domain/quota/quota-catalogue.js';
import { QuotaMembership } from '../../domain/quota/quota-membership.js';
import type { QuotaFacts } from '../../domain/quota/storage-ledger-messages.js';
import { later, type ExpectedRevision } from '../../event-store/event-store.js';
import type { CommandHandler } from '../handle.js';

/**
 * Returns the groups that limit an account now, and the position of the newest event that they follow from: of the
 * account, the rules or its membership. At that position the account exists under its present name.
 */
export async function limitsOf(
  commands: CommandHandler,
  accountId: number,
): Promise<Omit<QuotaFacts, 'overdue'>> {
  const [account, catalogue, membership] = await Promise.all([
    commands.load(Account, accountId),
    commands.load(QuotaCatalogue, QUOTA_CATALOGUE),
    commands.load(QuotaMembership, accountId),
  ]);
  const { own, defaults } = groupsOf(catalogue.state, membership.state);
  return {
    account: { id: accountId, name: account.state.name ?? '' },
    groups: applicableGroups(own, defaults),
    catalogueRevision: revisionOf(catalogue),
    membershipRevision: revisionOf(membership),
    position: [account.position, catalogue.position, membership.position].reduce(later),
  };
}

const revisionOf = ({ revision }: { readonly revision: ExpectedRevision }): number =>
  revision === 'noStream' ? -1 : revision;
