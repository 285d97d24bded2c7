import { expect } from 'chai';
import type { Queryable } from '../../src/database/queryable.js';
import { ProposedLimits } from '../../src/domain/quota/proposal.js';
import { accountsOver } from '../../src/rehearsal/accounts-over.js';

const ACCOUNTS = 400;
const RULES = 200;

describe('the accounts that would be over a limit', () => {
  it('are looked for without holding up other requests', async () => {
    const rules = Array.from({ length: RULES }, (_, index) => ({
      ...{ name: `rule ${index}`, limit: 10n, subjects: ['size:all'] as const },
    }));
    const group = { name: 'all', rules };
    const limits = new ProposedLimits(
      { rules, groups: [group], defaults: { groups: ['all'], total: -1n } },
      {},
      new Map(),
    );
    const stored = Array.from({ length: ACCOUNTS }, (_, index) => ({
      account_id: index + 1,
      usage: { 'size:repos:public': '11' },
    }));
    const rows = [stored, []];
    const db = { rows: () => Promise.resolve(rows.shift() ?? []) } as unknown as Queryable;

    let others = 0;
    const other = setInterval(() => (others += 1), 0);
    const { total } = await accountsOver(db, limits, 1n).finally(() => {
      clearInterval(other);
    });
    expect(total).to.equal(ACCOUNTS * RULES);
    expect(others).to.be.at.least(2);
  });
});
