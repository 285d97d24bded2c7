import { expect } from 'chai';
import { LoginGate, type Attempt } from '../../../src/http/authentication/login-limits.js';
import { Refused } from '../../../src/http/refused.js';
import { rejection } from '../../support/rejection.js';

const limits = { perAccountAndAddress: 2, perAddress: 4, windowSeconds: 3_600 };

let guesses = 0;

/** A guess that nobody made before. */
const guessAt = (account: string, address: string): Attempt => ({
  account,
  address,
  guess: `guess ${guesses++}`,
});

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
    await gate.enter(guessAt('alice', '10.0.0.1'));
    await gate.enter(guessAt('alice', '10.0.0.1'));
    const refused = await gate
      .enter(guessAt('alice', '10.0.0.1'))
      .then(undefined, (error: unknown) => error as Refused);
    expect(refused).to.be.instanceOf(Refused);
    expect(Number((refused as Refused).headers['Retry-After'])).to.be.within(1, 3_600);
  });

  it('has nobody wait longer than that where the clock is set back', async () => {
    const gate = new LoginGate(limits);
    for (let attempt = 0; attempt < 2; attempt++) await gate.enter(guessAt('alice', '10.0.0.1'));
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
    try {
      const refused = await rejection(gate.enter(guessAt('alice', '10.0.0.1')));
      expect(refused).to.have.nested.property('headers.Retry-After', '3600');
    } finally {
      Date.now = now;
    }
  });

  it('locks nobody out at another address', async () => {
    const gate = new LoginGate(limits);
    for (let attempt = 0; attempt < 3; attempt++) await statusOf(gate.enter(guessAt('alice', '10.0.0.1')));
    expect(await statusOf(gate.enter(guessAt('alice', '10.0.0.2')))).to.equal(200);
  });

  it('counts every account that an address tries', async () => {
    const gate = new LoginGate(limits);
    for (let account = 0; account < 4; account++) await gate.enter(guessAt(`account ${account}`, '10.0.0.1'));
    expect(await statusOf(gate.enter(guessAt('another', '10.0.0.1')))).to.equal(429);
  });

  it('counts the same guess again for a sixth', async () => {
    const gate = new LoginGate(limits);
    const guess = guessAt('alice', '10.0.0.1');
    const statuses = [];
    for (let attempt = 0; attempt < 9; attempt++) statuses.push(await statusOf(gate.enter(guess)));
    expect(statuses).to.deep.equal([...Array<number>(7).fill(200), 429, 429]);
    expect(await statusOf(gate.enter({ ...guess, address: '10.0.0.2' })), 'elsewhere').to.equal(200);
  });

  it('does not count for the address what it refuses for the account', async () => {
    const gate = new LoginGate(limits);
    for (let attempt = 0; attempt < 10; attempt++) await statusOf(gate.enter(guessAt('alice', '10.0.0.1')));
    expect(await statusOf(gate.enter(guessAt('bob', '10.0.0.1')))).to.equal(200);
  });

  it('gives successes back', async () => {
    const gate = new LoginGate(limits);
    for (let attempt = 0; attempt < 10; attempt++) {
      const succeeded = await gate.enter(guessAt('alice', '10.0.0.1'));
      await succeeded();
    }
    expect(await statusOf(gate.enter(guessAt('alice', '10.0.0.1')))).to.equal(200);
  });

  it('remembers the last 20,000 addresses, however many there are', async () => {
    const gate = new LoginGate({ ...limits, perAddress: 1 });
    await gate.enter(guessAt('alice', '10.0.0.1'));
    await gate.enter(guessAt('alice', '10.0.0.2'));
    for (let other = 1; other < 20_000; other++)
      await gate.enter(guessAt('alice', `10.${1 + (other >> 8)}.${other & 255}.1`));
    expect(await statusOf(gate.enter(guessAt('bob', '10.0.0.2'))), 'the oldest that is remembered').to.equal(
      429,
    );
    expect(await statusOf(gate.enter(guessAt('bob', '10.0.0.1'))), 'one that is not').to.equal(200);
  });

  it('takes a /64 of IPv6 for one address, and a mapped IPv4 address for itself', async () => {
    const gate = new LoginGate(limits);
    await gate.enter(guessAt('alice', '2001:db8::1'));
    await gate.enter(guessAt('alice', '2001:db8:0:0:ffff::2'));
    expect(await statusOf(gate.enter(guessAt('alice', '2001:db8::3')))).to.equal(429);
    expect(await statusOf(gate.enter(guessAt('alice', '2001:db8:0:1::1')))).to.equal(200);
    await gate.enter(guessAt('carol', '2001::12:0:0:0:1'));
    await gate.enter(guessAt('carol', '2001::12:0:0:0:2'));
    expect(await statusOf(gate.enter(guessAt('carol', '2001::13:0:0:0:1')))).to.equal(200);
    expect(await statusOf(gate.enter(guessAt('carol', '2001:0:0:12::3')))).to.equal(429);
    await gate.enter(guessAt('bob', '::ffff:10.0.0.1'));
    await gate.enter(guessAt('bob', '10.0.0.1'));
    expect(await statusOf(gate.enter(guessAt('bob', '::ffff:10.0.0.1')))).to.equal(429);
    expect(await statusOf(gate.enter(guessAt('bob', '::ffff:10.0.0.2')))).to.equal(200);
  });
});
