import { Turns } from '../concurrency/turns.js';
import type { Queryable } from '../database/queryable.js';
import type { ProposedLimits } from '../domain/quota/proposal.js';
import { overLimits, type OverLimit } from '../domain/quota/rehearsal.js';
import type { Position } from '../event-store/event-store.js';
import { findGroupNames, listStored } from '../queries/quota/rehearsal.js';
import { LISTED, type Listed } from './listed.js';

const PAGE = 1_000;

type Over = OverLimit & { readonly accountId: number };

/** Finds the limits that accounts would exceed with what they store at a position, sorted by excess in descending order. */
export async function accountsOver(
  db: Queryable,
  limits: ProposedLimits,
  position: Position,
): Promise<Listed<Over>> {
  let list: Over[] = [];
  let total = 0;
  const turns = new Turns();
  for (let after = 0; ;) {
    const page = await listStored(db, position, { after, limit: PAGE });
    const groups = await findGroupNames(
      db,
      page.map(({ accountId }) => accountId),
      position,
    );
    for (const { accountId, usage } of page) {
      const current = groups.get(accountId) ?? new Set();
      const over = await turns.take(() => overLimits(limits.groupsOf(accountId, current), usage));
      total += over.length;
      list.push(...over.map((each) => ({ accountId, ...each })));
    }
    list = list.sort(mostOverFirst).slice(0, LISTED);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { list, total };
    after = last.accountId;
  }
}

const mostOverFirst = (left: Over, right: Over): number =>
  left.overBy === right.overBy ? left.accountId - right.accountId : left.overBy > right.overBy ? -1 : 1;
