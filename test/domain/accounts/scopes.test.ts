import { expect } from 'chai';
import fc from 'fast-check';
import {
  allows,
  isPublicOnly,
  normaliseScopes,
  scopeCategories,
  type Scope,
} from '../../../src/domain/accounts/scopes.js';

describe('the scopes of an access token', () => {
  it('are kept once each, in a fixed order, without reads that a write implies', () => {
    expect(
      normaliseScopes(['write:user', 'read:user', 'read:admin', 'public-only', 'read:admin']),
    ).to.deep.equal(['public-only', 'read:admin', 'write:user']);
  });
  it('are all when every category may be written', () => {
    expect(normaliseScopes(scopeCategories.map((category) => `write:${category}`))).to.deep.equal(['all']);
    expect(normaliseScopes(['read:user', 'all', 'public-only'])).to.deep.equal(['public-only', 'all']);
  });
  it('are refused where one is unknown', () => {
    for (const scope of ['sudo', 'write:all', 'READ:user', 'read', ''])
      expect(() => normaliseScopes(['all', scope]))
        .to.throw()
        .with.property('code', 'access_token.scope_unknown');
  });
  it('are refused where they allow nothing', () => {
    for (const scopes of [[], ['public-only']])
      expect(() => normaliseScopes(scopes))
        .to.throw()
        .with.property('code', 'access_token.scopes_empty');
  });
  it('let writers read, and nobody else than all reach another category', () => {
    expect(allows(['write:issue'], 'read', 'issue')).to.equal(true);
    expect(allows(['read:issue'], 'write', 'issue')).to.equal(false);
    expect(allows(['write:issue'], 'read', 'repository')).to.equal(false);
    expect(allows(['all'], 'write', 'admin')).to.equal(true);
  });
  it('allow the same after normalising, which a second time changes nothing', () => {
    const scope = fc.constantFrom<Scope>(
      'all',
      'public-only',
      ...scopeCategories.flatMap((category) => [`read:${category}`, `write:${category}`] as const),
    );
    fc.assert(
      fc.property(fc.array(scope), fc.constantFrom(...scopeCategories), (some, category) => {
        const asked: Scope[] = [...some, 'read:misc'];
        const kept = normaliseScopes(asked);
        for (const level of ['read', 'write'] as const)
          expect(allows(kept, level, category)).to.equal(allows(asked, level, category));
        expect(isPublicOnly(kept)).to.equal(isPublicOnly(asked));
        expect(normaliseScopes(kept)).to.deep.equal(kept);
      }),
    );
  });
});
