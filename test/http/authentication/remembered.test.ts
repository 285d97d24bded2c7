import { expect } from 'chai';
import { RememberedCredentials, type Verified } from '../../../src/http/authentication/remembered.js';

const verified = (accountId: number): Verified => ({
  accountId,
  scopes: 'unlimited',
  byPassword: true,
  state: { active: true, prohibited: false, mustChangePassword: false },
});

describe('remembered credentials', () => {
  it('verifies once for many at the same time, and not again', async () => {
    const remembered = new RememberedCredentials();
    let verifications = 0;
    const verify = () => Promise.resolve(verified(++verifications));
    await Promise.all([remembered.verifyOnce('key', verify), remembered.verifyOnce('key', verify)]);
    expect(verifications).to.equal(1);
    expect(remembered.get('key')?.accountId).to.equal(1);
  });

  it('does not remember what was wrong', async () => {
    const remembered = new RememberedCredentials();
    await remembered.verifyOnce('key', () => Promise.resolve(undefined));
    expect(await remembered.verifyOnce('key', () => Promise.resolve(verified(1)))).to.include({
      accountId: 1,
    });
  });

  it('forgets what belongs to a changed account, and only that', async () => {
    const remembered = new RememberedCredentials();
    await remembered.verifyOnce('one', () => Promise.resolve(verified(1)));
    await remembered.verifyOnce('two', () => Promise.resolve(verified(2)));
    remembered.accountChanged(1);
    expect([remembered.get('one'), remembered.get('two')?.accountId]).to.deep.equal([undefined, 2]);
    remembered.accountChanged('all');
    expect(remembered.get('two')).to.equal(undefined);
  });

  it('forgets one that no longer counts', async () => {
    const remembered = new RememberedCredentials();
    await remembered.verifyOnce('one', () => Promise.resolve(verified(1)));
    await remembered.verifyOnce('two', () => Promise.resolve(verified(1)));
    remembered.forget('one');
    expect([remembered.get('one'), remembered.get('two')?.accountId]).to.deep.equal([undefined, 1]);
  });

  it('verifies once for many after a change, too, though what began before it is over only then', async () => {
    const remembered = new RememberedCredentials();
    let finish: (value: undefined) => void = () => undefined;
    const before = remembered.verifyOnce('key', () => new Promise((resolve) => (finish = resolve)));
    remembered.accountChanged('all');
    const after = remembered.verifyOnce('key', () => new Promise(() => undefined));
    finish(undefined);
    await before;
    expect(remembered.verifyOnce('key', () => expect.fail('it is under way'))).to.equal(after);
  });

  for (const change of [1, 'all'] as const)
    it(`does not remember what was being verified when ${change === 1 ? 'its account' : 'any'} changed`, async () => {
      const remembered = new RememberedCredentials();
      let finish: (value: Verified) => void = () => undefined;
      const under = remembered.verifyOnce('key', () => new Promise((resolve) => (finish = resolve)));
      remembered.accountChanged(change);
      const after = remembered.verifyOnce('key', () => Promise.resolve(undefined));
      finish(verified(1));
      expect((await under)?.accountId).to.equal(1);
      expect(await after).to.equal(undefined);
      expect(remembered.get('key')).to.equal(undefined);
    });
});
