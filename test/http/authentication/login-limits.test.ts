import { expect } from 'chai';
import { LoginGate } from '../../../src/http/authentication/login-limits.js';
import { Refused } from '../../../src/http/refused.js';

const limits = { perAccountAndAddress: 2, perAddress: 4, windowSeconds: 60 };

async function statusOf(attempt: Promise<unknown>): Promise<number> {
  try {
    await attempt;
    return 200;
  } catch (error) {
    return (error as Refused).status;
  }
}

describe('login limits', () => {
  it('makes an address wait for an account it failed to enter, and says how long', async () => {
    const gate = new LoginGate(limits);
    await gate.enter('alice', '10.0.0.1');
    await gate.enter('alice', '10.0.0.1');
    const refused = await gate
      .enter('alice', '10.0.0.1')
      .then(undefined, (error: unknown) => error as Refused);
    expect(refused).to.be.instanceOf(Refused);
    expect(Number((refused as Refused).headers['Retry-After'])).to.be.within(1, 60);
  });

  it('locks nobody out at another address', async () => {
    const gate = new LoginGate(limits);
    for (let attempt = 0; attempt < 3; attempt++) await statusOf(gate.enter('alice', '10.0.0.1'));
    expect(await statusOf(gate.enter('alice', '10.0.0.2'))).to.equal(200);
  });

  it('counts every account that an address tries', async () => {
    const gate = new LoginGate(limits);
    for (let account = 0; account < 4; account++) await gate.enter(`account ${account}`, '10.0.0.1');
    expect(await statusOf(gate.enter('another', '10.0.0.1'))).to.equal(429);
  });

  it('gives successes back', async () => {
    const gate = new LoginGate(limits);
    for (let attempt = 0; attempt < 10; attempt++) {
      const succeeded = await gate.enter('alice', '10.0.0.1');
      await succeeded();
    }
    expect(await statusOf(gate.enter('alice', '10.0.0.1'))).to.equal(200);
  });

  it('takes a /64 of IPv6 for one address, and a mapped IPv4 address for itself', async () => {
    const gate = new LoginGate(limits);
    await gate.enter('alice', '2001:db8::1');
    await gate.enter('alice', '2001:db8:0:0:ffff::2');
    expect(await statusOf(gate.enter('alice', '2001:db8::3'))).to.equal(429);
    expect(await statusOf(gate.enter('alice', '2001:db8:0:1::1'))).to.equal(200);
    await gate.enter('bob', '::ffff:10.0.0.1');
    await gate.enter('bob', '10.0.0.1');
    expect(await statusOf(gate.enter('bob', '::ffff:10.0.0.1'))).to.equal(429);
    expect(await statusOf(gate.enter('bob', '::ffff:10.0.0.2'))).to.equal(200);
  });
});
