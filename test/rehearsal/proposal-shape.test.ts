import { expect } from 'chai';
import { ProposalFile, ProposalShape } from '../../src/rehearsal/proposal-shape.js';

describe('a proposal in a file', () => {
  const rule = { name: 'small', limit: 10, subjects: ['size:all'] };
  const group = { name: 'trial', rules: ['small'], members: ['alice'] };
  const proposal = { rules: [rule], groups: [group], default_groups: ['trial'], days: 30 };

  it('is what a request would have', () => {
    const read = ProposalFile.parse(proposal);
    expect(read).to.deep.equal(ProposalShape.parse(proposal));
    expect(read).to.deep.equal({ ...proposal, rules: [{ ...rule, limit: 10n }] });
  });

  it('has no misspelt fields, wherever they are', () => {
    for (const misspelt of [
      { ...proposal, rule: [] },
      { ...proposal, rules: [{ ...rule, subject: [] }] },
      { ...proposal, groups: [{ ...group, member: [] }] },
    ]) {
      expect(ProposalFile.safeParse(misspelt).success).to.equal(false);
      expect(ProposalShape.safeParse(misspelt).success).to.equal(true);
    }
  });
});
