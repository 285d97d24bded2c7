import { expect } from 'chai';
import { mentions } from '../../src/erasure/mentions.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('answers that were kept for Idempotency-Key', () => {
  const shown = JSON.stringify([{ number: 1, user: { id: 7, login: 'alice' } }]);
  let vaults: TestVaults;

  before(async () => {
    vaults = await testVaults();
  });
  after(() => vaults.close());

  it('mention an account that they show, however deep, and nothing else of its id', () => {
    expect(mentions(shown, 7)).to.equal(true);
    expect(mentions(shown, 8)).to.equal(false);
    expect(mentions(JSON.stringify({ id: 7, name: 'a label' }), 7)).to.equal(false);
    expect(mentions('no JSON', 7)).to.equal(false);
    expect(mentions('', 7)).to.equal(false);
  });

  it('mention an account that was out of room, or that a rehearsal tells of', () => {
    const refusal = JSON.stringify({ message: 'quota exceeded', user_id: 7, username: 'alice' });
    const rehearsal = JSON.stringify({ over: [{ user: { id: 7, name: 'alice' }, group: 'g', rule: 'r' }] });
    for (const body of [refusal, rehearsal]) {
      expect(mentions(body, 7), body).to.equal(true);
      expect(mentions(body, 8), body).to.equal(false);
    }
  });

  it('may mention an account where they show what somebody deleted wrote', () => {
    const user = { id: -1, login: 'Ghost' };
    expect(mentions(JSON.stringify([{ id: 3, user, body: 'mine' }]), 7)).to.equal(true);
    expect(mentions(JSON.stringify([{ id: 3, user }]), 7)).to.equal(false);
    expect(mentions(JSON.stringify([{ id: 3, user, body: '(erased)' }]), 7)).to.equal(false);
  });

  it('may mention an account where they have names without an id', () => {
    const rule = (push_whitelist_usernames: string[], approvals_whitelist_username: string[]) =>
      JSON.stringify({ rule_name: 'x', push_whitelist_usernames, approvals_whitelist_username });
    const branch = (username: string) =>
      JSON.stringify({ name: 'b', commit: { author: { name: 'A', email: 'a@b.c', username } } });
    for (const body of [rule(['alice'], []), rule([], ['alice']), branch('alice')])
      expect(mentions(body, 7), body).to.equal(true);
    for (const body of [rule([], []), branch('')]) expect(mentions(body, 7), body).to.equal(false);
    const another = JSON.stringify([{ email: 'b@b.c', username: 'bob', user_id: 8 }]);
    expect(mentions(another, 7)).to.equal(false);
    expect(mentions(JSON.stringify({ id: 8, login: 'bob', username: 'bob', email: 'b@b.c' }), 7)).to.equal(
      false,
    );
  });

  it('are emptied where they tell of somebody who is forgotten, and still count', async () => {
    const { answers } = await vaults.open();
    const answer = { bodyHash: 'hash', status: 201, headers: { location: '/alice' } };
    for (let nth = 0; nth < 250; nth++) await answers.store(`other ${nth}`, { ...answer, body: `${nth}` });
    await answers.store('shown', { ...answer, body: shown });
    await answers.store('asked', { bodyHash: 'hash', stream: 'issue-1-1' });
    const stop = new AbortController();
    await answers.forget(({ body }) => mentions(body, 7), stop.signal);
    expect(await answers.find('shown')).to.deep.equal({ ...answer, headers: {}, body: '' });
    expect(await answers.find('other 249')).to.deep.equal({ ...answer, body: '249' });
    expect(await answers.find('asked')).to.deep.equal({ bodyHash: 'hash', stream: 'issue-1-1' });
    let looked = 0;
    await answers.forget(() => {
      stop.abort();
      looked += 1;
      return false;
    }, stop.signal);
    expect(looked).to.be.lessThan(250);
  });

  it('leave what is kept under their key meanwhile', async () => {
    const { answers } = await vaults.open();
    const intent = { bodyHash: 'other', stream: 'issue-1-2' };
    await answers.store('again', { bodyHash: 'hash', status: 200, headers: {}, body: shown });
    let stored: Promise<void> | undefined;
    await answers.forget(({ body }) => {
      if (body !== shown) return false;
      stored ??= answers.store('again', intent);
      return true;
    }, new AbortController().signal);
    await stored;
    expect(await answers.find('again')).to.deep.equal(intent);
  });
});
