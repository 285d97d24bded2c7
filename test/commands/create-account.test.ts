import { expect } from 'chai';
import { emailClaim, nameClaim } from '../../src/commands/accounts/account-claims.js';
import {
  createUser,
  type AccountServices,
  type NewUser,
} from '../../src/commands/accounts/create-account.js';
import { Account } from '../../src/domain/accounts/account.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import type { EventStore } from '../../src/event-store/event-store.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { accountProcess } from '../support/account-process.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const PATIENCE_MS = 40;

describe('creating a user', () => {
  let store: MemoryEventStore;
  let people: TestPeople;
  let commands: number;

  beforeEach(() => {
    store = new MemoryEventStore();
    people = new TestPeople();
    commands = 0;
  });

  const process = (on: EventStore = store, options = {}) =>
    accountProcess({ store: on, people, patienceMs: PATIENCE_MS, ...options });
  const user = (name: string, email = `${name}@example.org`): NewUser => ({
    name,
    email,
    password: 'long enough',
  });
  const create = (services: AccountServices, asked: NewUser, commandId = `command ${++commands}`) =>
    createUser(services, asked, { commandId, at });
  const refusal = async (creation: Promise<unknown>) => {
    const error = await rejection(creation);
    return (error as { code?: string }).code ?? error.message;
  };
  /** The accounts that exist, from the log itself. */
  async function existing() {
    const log = new EventLog({ store, people });
    const ending = new AbortController();
    const accounts: { id: unknown; name: unknown }[] = [];
    for await (const { events, caughtUp } of log.subscribe(-1n, { signal: ending.signal })) {
      for (const { type, data } of events)
        if (type === 'AccountCreated') accounts.push({ id: data.accountId, name: data.name });
      if (caughtUp) break;
    }
    return accounts;
  }

  it('gives it an id, its facts and a place in the log', async () => {
    const { accountId, position } = await create(process(), user('Alice'));
    expect(accountId).to.equal(1);
    expect(position).to.equal(await store.lastPosition());
    const [created] = await new EventLog({ store, people }).readStream('account-1');
    expect(created?.data).to.deep.equal({
      accountId: 1,
      kind: 'user',
      name: 'Alice',
      email: 'Alice@example.org',
      fullName: '',
      loginName: '',
      sourceId: 0,
      visibility: 'public',
      restricted: false,
      mustChangePassword: false,
      createdAt: at,
    });
  });

  it('refuses what breaks a rule before anything is claimed', async () => {
    const services = process();
    expect(await refusal(create(services, user('-')))).to.equal('account.name_invalid');
    expect(await refusal(create(services, user('a', 'b')))).to.equal('account.email_invalid');
    expect(await refusal(create(services, { ...user('a'), password: 'short' }))).to.equal(
      'account.password_too_short',
    );
    expect(await store.lastPosition()).to.equal(-1n);
  });

  it('refuses a name or an address that is taken, in any letter case, naming the field', async () => {
    const services = process();
    await create(services, user('Alice'));
    const name = await rejection(create(services, user('aLICE', 'other@example.org')));
    expect(name).to.include({ kind: 'invalid', code: 'account.name_taken', field: 'Username' });
    const email = await rejection(create(services, user('bob', 'ALICE@EXAMPLE.ORG')));
    expect(email).to.include({ kind: 'invalid', code: 'account.email_taken', field: 'Email' });
  });

  it('gives the name back when the address is taken', async () => {
    const services = process();
    await create(services, user('alice'));
    await rejection(create(services, user('bob', 'alice@example.org')));
    await create(process(), user('bob'));
    expect((await existing()).map(({ name }) => name)).to.deep.equal(['alice', 'bob']);
  });

  it('gives name and address back when the vault fails', async () => {
    const failing = process(store, { setCredentials: () => Promise.reject(new Error('no vault')) });
    expect(await refusal(create(failing, user('alice')))).to.equal('no vault');
    await create(process(), user('alice'));
  });

  it('stores neither name nor address readably, nor in the names of streams', async () => {
    await create(process(), user('alice', 'alice@example.org'));
    const ending = new AbortController();
    for await (const { events, caughtUp } of store.subscribe(-1n, { signal: ending.signal })) {
      for (const { stream, data, metadata } of events)
        expect(JSON.stringify([stream, data, metadata])).not.to.match(/alice|example/i);
      if (caughtUp) break;
    }
  });

  it('answers as the first time when the command is repeated', async () => {
    const context = { commandId: 'once', at, repeatable: true };
    const first = await createUser(process(), user('alice'), context);
    expect(await createUser(process(), user('alice'), context)).to.deep.equal(first);
    expect(await refusal(create(process(), user('alice')))).to.equal('account.name_taken');
  });

  it('creates nothing again when the command is repeated after what it created has gone', async () => {
    const context = { commandId: 'once', at, repeatable: true };
    const first = await createUser(process(), user('alice'), context);
    const { accountId } = first;
    const { commands: handler, claims, vault } = process();
    for (const type of ['CloseAccount', 'DeleteAccount'] as const)
      await handler.handle(Account, accountId, { type, data: { accountId, at } }, { commandId: type, at });
    for (const claimable of [nameClaim(vault, 'alice'), emailClaim(vault, 'alice@example.org')]) {
      const claim = await claims.find(claimable, accountId);
      if (claim) await claims.release(claim, { commandId: 'release', at });
    }
    const again = { ...context, attempted: `account-${accountId}` };
    expect(await createUser(process(), user('alice'), again)).to.deep.equal(first);
    expect(await existing()).to.have.length(1);
  });

  describe('by 64 at once in four processes', () => {
    const racers = async (asked: (n: number) => NewUser) => {
      const processes = Array.from({ length: 4 }, () => process(store, { patienceMs: 60_000 }));
      return Promise.all(
        processes.flatMap((services, p) =>
          Array.from({ length: 16 }, (_, n) =>
            create(services, asked(16 * p + n)).then(
              () => 'created',
              (error: unknown) => (error as { code: string }).code,
            ),
          ),
        ),
      );
    };

    it('under one name, one wins and 63 are refused', async () => {
      const outcomes = await racers((n) => user('alice', `${n}@example.org`));
      expect(outcomes.filter((outcome) => outcome === 'created')).to.have.length(1);
      expect(outcomes.filter((outcome) => outcome === 'account.name_taken')).to.have.length(63);
    });
    it('with one address, one wins, 63 are refused, and their names are free', async () => {
      const outcomes = await racers((n) => user(`user-${n}`, 'one@example.org'));
      expect(outcomes.filter((outcome) => outcome === 'created')).to.have.length(1);
      expect(outcomes.filter((outcome) => outcome === 'account.email_taken')).to.have.length(63);
      for (const n of outcomes.keys())
        if (outcomes[n] !== 'created') await create(process(), user(`user-${n}`));
      expect(await existing()).to.have.length(64);
    });
  });

  // The appends of a creation: the block of ids, the name, the address, the account.
  const points = [1, 2, 3, 4].flatMap((append) => [
    { append, when: 'before' as const },
    { append, when: 'after' as const },
  ]);

  for (const { append, when } of points) {
    it(`that is killed ${when} its append ${append} leaves the name to others, unless it was created`, async () => {
      await create(killedAt(append, when), user('alice')).catch(() => undefined);
      const createdBefore = append === 4 && when === 'after';
      const second = create(process(), user('alice'));
      if (createdBefore) expect(await refusal(second)).to.equal('account.name_taken');
      else await second;
      expect(await existing()).to.have.length(1);
    });

    it(`that is paused ${when} its append ${append} for too long is overtaken or was there first`, async () => {
      const paused = pausedAt(append, when);
      const first = create(paused.services, user('alice')).then(
        () => 'created',
        (error: unknown) => (error as { code: string }).code,
      );
      await paused.reached;
      const second = create(process(), user('alice')).then(
        () => 'created',
        (error: unknown) => (error as { code: string }).code,
      );
      expect(await second).to.equal(append === 4 && when === 'after' ? 'account.name_taken' : 'created');
      paused.goOn();
      expect([await first, await second].filter((outcome) => outcome === 'created')).to.have.length(1);
      expect(await existing()).to.have.length(1);
    });
  }

  it('that was overtaken for its address alone gives its name back', async () => {
    const paused = pausedAt(4, 'before');
    const first = create(paused.services, user('alice', 'shared@example.org'));
    await paused.reached;
    await create(process(), user('bob', 'shared@example.org'));
    paused.goOn();
    expect(await refusal(first)).to.equal('account.email_taken');
    await create(process(), user('alice'));
    expect((await existing()).map(({ name }) => name)).to.deep.equal(['bob', 'alice']);
  });

  it('that was overtaken by somebody who then failed succeeds under a new id', async () => {
    const paused = pausedAt(4, 'before');
    const first = create(paused.services, user('alice'));
    await paused.reached;
    const failing = process(store, { setCredentials: () => Promise.reject(new Error('no vault')) });
    await rejection(create(failing, user('alice')));
    paused.goOn();
    const { accountId } = await first;
    expect(await existing()).to.deep.equal([{ id: accountId, name: 'alice' }]);
    expect(accountId).not.to.equal(1);
  });

  /** A process that is dead from a point on: nothing it still does has any effect. */
  function killedAt(append: number, when: 'before' | 'after'): AccountServices {
    let appends = 0;
    let dead = false;
    const live = () => {
      if (dead) throw new Error('killed');
    };
    return process(
      new InterceptedStore(store, {
        beforeRead: live,
        beforeAppend: () => {
          live();
          dead = ++appends === append && when === 'before';
          live();
        },
        afterAppend: () => {
          dead = appends === append;
          live();
        },
      }),
    );
  }

  function pausedAt(append: number, when: 'before' | 'after') {
    let appends = 0;
    let arrived: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const pause = async () => {
      arrived();
      await gate;
    };
    const services = process(
      new InterceptedStore(store, {
        beforeAppend: async () => {
          if (++appends === append && when === 'before') await pause();
        },
        afterAppend: async () => {
          if (appends === append && when === 'after') await pause();
        },
      }),
    );
    return { services, reached, goOn: () => goOn() };
  }
});
