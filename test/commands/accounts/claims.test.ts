import { expect } from 'chai';
import { setImmediate as tick } from 'node:timers/promises';
import { emailClaim } from '../../../src/commands/accounts/account-claims.js';
import { createUser, type AccountServices } from '../../../src/commands/accounts/create-account.js';
import { editAccount, type AccountEdit } from '../../../src/commands/accounts/edit-account.js';
import { addEmails, removeEmails } from '../../../src/commands/accounts/emails.js';
import { renameAccount } from '../../../src/commands/accounts/rename-account.js';
import { Account, CLAIM_LOST } from '../../../src/domain/accounts/account.js';
import { EmailAddress } from '../../../src/domain/claims/claim.js';
import { DomainError } from '../../../src/domain/errors.js';
import { EventStoreUnavailable, type EventStore } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { accountProcess } from '../../support/account-process.js';
import { InterceptedStore } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { Random } from '../../support/random.js';
import { rejection } from '../../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const WANTED = 'wanted@example.org';

describe('what an account claims after it was created', () => {
  let store: MemoryEventStore;
  let people: TestPeople;
  let commands: number;

  beforeEach(() => {
    store = new MemoryEventStore();
    people = new TestPeople();
    commands = 0;
  });

  const process = (on: EventStore = store, patienceMs = 40) =>
    accountProcess({ store: on, people, patienceMs });
  const context = () => ({ commandId: `command ${++commands}`, at });
  const create = async (services: AccountServices, name: string) => {
    const user = { name, email: `${name}@example.org`, password: 'long enough' };
    return (await createUser(services, user, context())).accountId;
  };
  const add = (services: AccountServices, accountId: number, email = WANTED) =>
    addEmails(services, { accountId, emails: [email] }, context());
  const edit = (services: AccountServices, accountId: number, asked: AccountEdit) => {
    const nothing = () => Promise.resolve();
    const isAnnounced = () => Promise.resolve(false);
    const credentials = { announce: nothing, isAnnounced, settle: nothing, forget: nothing };
    const sessions = { endAll: () => Promise.resolve() };
    return editAccount(
      { ...services, vault: { ...services.vault, credentials, sessions } },
      accountId,
      asked,
      context(),
    );
  };
  const codeOf = async (work: Promise<unknown>) => ((await rejection(work)) as { code?: string }).code;
  const emailsOf = async (accountId: number) =>
    (await process().commands.load(Account, accountId)).state.profile.emails;

  it('is taken over from one that crashed before it came to it, whose late command is refused', async () => {
    const services = process();
    const [one, two] = [await create(services, 'one'), await create(services, 'two')];
    const { claimsLost } = (await services.commands.load(Account, one)).state;
    await services.claims.claim(emailClaim(services.vault, WANTED), one, context());
    await add(process(), two);
    expect(await emailsOf(two)).to.include(WANTED);
    const data = { accountId: one, emails: [WANTED], claimsLost, at };
    const late = services.commands.handle(Account, one, { type: 'AddEmails', data }, context());
    expect(await codeOf(late)).to.equal(CLAIM_LOST);
  });

  it('is not taken over from one that came to it while the other waited', async () => {
    const services = process();
    const [one, two] = [await create(services, 'one'), await create(services, 'two')];
    let waiting: Promise<unknown> | undefined;
    const paused = new InterceptedStore(store, {
      beforeAppend: async (stream) => {
        if (stream !== `account-${one}` || waiting) return;
        waiting = add(process(store, 60_000), two); // however slow the machine, it waits
        for (let ticks = 0; ticks < 20; ticks++) await tick();
      },
    });
    await add(process(paused), one);
    expect(await codeOf(waiting ?? Promise.resolve())).to.equal('account.email_taken');
    expect(await emailsOf(one)).to.include(WANTED);
  });

  it('is lost by one that pauses for too long, which then finds it taken', async () => {
    const services = process();
    const [one, two] = [await create(services, 'one'), await create(services, 'two')];
    let taken = false;
    const paused = new InterceptedStore(store, {
      beforeAppend: async (stream) => {
        if (stream !== `account-${one}` || taken) return;
        taken = true;
        await add(process(), two);
      },
    });
    expect(
      await codeOf(edit(process(paused), one, { profile: { email: WANTED, location: 'Rome' } })),
    ).to.equal('account.email_taken');
    expect(await emailsOf(one)).to.deep.equal(['one@example.org']);
    expect((await process().commands.load(Account, one)).state.profile.location).to.equal('');
  });

  it('is given up when the command is refused', async () => {
    const services = process(store, 60_000);
    const [one, two] = [await create(services, 'one'), await create(services, 'two')];
    const taken = addEmails(services, { accountId: one, emails: [WANTED, 'two@example.org'] }, context());
    expect(await codeOf(taken)).to.equal('account.email_taken');
    await add(process(store, 60_000), two);
  });

  it('is free at once when it is removed, or when the account has another name', async () => {
    const services = process(store, 60_000);
    const [one, two] = [await create(services, 'one'), await create(services, 'two')];
    await add(services, one);
    await removeEmails(services, { accountId: one, emails: [WANTED] }, context());
    await add(process(store, 60_000), two);
    await renameAccount(services, one, 'other', context());
    expect(await create(process(store, 60_000), 'one').catch(() => 'taken')).to.equal('taken'); // its address is not
    await renameAccount(process(store, 60_000), two, 'one', context());
  });

  describe('where a request comes again that was cut off', () => {
    const asked = { commandId: 'again', at, repeatable: true };
    /** A process that dies before it appends what the account came to. */
    const dying = (account: number) =>
      process(
        new InterceptedStore(store, {
          beforeAppend: (stream) => {
            if (stream === `account-${account}`) throw new EventStoreUnavailable('killed');
          },
        }),
      );

    it('is not had by it any more once somebody else has it', async () => {
      const [one, two] = [await create(process(), 'one'), await create(process(), 'two')];
      const again = (services: AccountServices) =>
        addEmails(services, { accountId: one, emails: [WANTED] }, asked);
      expect(await rejection(again(dying(one)))).to.be.instanceOf(EventStoreUnavailable);
      await add(process(), two);
      expect(await codeOf(again(process()))).to.equal('account.email_taken');
      expect(await emailsOf(one)).not.to.include(WANTED);
    });

    it('is had by it where nobody else has it, and by nobody who gave the first up meanwhile', async () => {
      const [one, two] = [await create(process(), 'one'), await create(process(), 'two')];
      const again = (services: AccountServices) =>
        addEmails(services, { accountId: one, emails: [WANTED] }, asked);
      expect(await rejection(again(dying(one)))).to.be.instanceOf(EventStoreUnavailable);
      let second: Promise<unknown> | undefined;
      // The other has given up the first claim, and is about to take it over.
      const slow = new InterceptedStore(store, {
        beforeAppend: async (stream, events) => {
          if (!stream.startsWith('email-') || events.length !== 2) return;
          second = again(process(store, 60_000));
          await second;
        },
      });
      expect(await codeOf(add(process(slow), two))).to.equal('account.email_taken');
      await second;
      expect(await emailsOf(one)).to.include(WANTED);
    });

    it('stays where it is when it was done the first time, and undone or done otherwise since', async () => {
      const services = process(store, 60_000);
      const [one, two] = [await create(services, 'one'), await create(services, 'two')];
      const rename = () => renameAccount(services, one, 'first', asked);
      await rename();
      await renameAccount(services, one, 'second', context());
      await rename();
      expect(await codeOf(renameAccount(services, two, 'second', context()))).to.equal('account.name_taken');
      const removal = { ...asked, commandId: 'removal' };
      const remove = () => removeEmails(services, { accountId: one, emails: [WANTED] }, removal);
      await add(services, one);
      await remove();
      await add(services, one);
      await remove();
      expect(await codeOf(add(services, two))).to.equal('account.email_taken');
    });
  });

  it('is not lost to what else the same account claims, gives up or changes at once, here and elsewhere', async () => {
    const services = process(store, 60_000);
    const account = await create(services, 'one');
    const old = Array.from({ length: 8 }, (_, index) => `old-${index}@example.org`);
    const added = old.map((email) => email.replace('old', 'new'));
    await addEmails(services, { accountId: account, emails: old }, context());
    const primary = 'primary@example.org';
    const names = ['first', 'second', 'third', 'fourth'];
    const elsewhere = process(store, 60_000);
    await Promise.all([
      ...old.map((email) => removeEmails(services, { accountId: account, emails: [email] }, context())),
      ...added.map((email) => add(elsewhere, account, email)),
      ...names.map((name) => renameAccount(services, account, name, context())),
      edit(services, account, { profile: { email: primary } }),
      edit(services, account, { profile: { location: 'Rome' } }),
    ]);
    const { name, profile } = (await process().commands.load(Account, account)).state;
    expect(names).to.include(name);
    expect([profile.location, profile.email]).to.deep.equal(['Rome', primary]);
    expect(profile.emails).to.have.members(['one@example.org', ...added, primary]);
  });

  it('belongs to one account at a time, whatever processes pause and give up at once', async () => {
    for (let seed = 1; seed <= 40; seed++) await race(seed);
  });

  /** Three processes add and remove two addresses of two accounts, with no patience, on a log of varying speed. */
  async function race(seed: number): Promise<void> {
    store = new MemoryEventStore();
    const random = new Random(seed);
    const wait = async () => {
      for (let ticks = random.below(6); ticks > 0; ticks--) await tick();
    };
    const slow = new InterceptedStore(store, { beforeAppend: wait, afterAppend: wait, beforeRead: wait });
    const accounts = [await create(process(), 'one'), await create(process(), 'two')];
    const wanted = ['a@example.org', 'b@example.org'];
    await Promise.all(
      [1, 2, 3].map(async () => {
        const services = process(slow, -1);
        for (let step = 0; step < 6; step++) {
          const [accountId, email] = [random.pick(accounts), random.pick(wanted)];
          const work = random.chance(0.7)
            ? add(services, accountId, email)
            : removeEmails(services, { accountId, emails: [email] }, context());
          await work.catch((error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
          });
        }
      }),
    );
    const { commands: handler, vault } = process();
    for (const email of wanted) {
      const holders: number[] = [];
      for (const id of accounts) if ((await emailsOf(id)).includes(email)) holders.push(id);
      const { holder } = (await handler.load(EmailAddress, emailClaim(vault, email).key)).state;
      expect(holders, `${email} with seed ${seed}`).to.have.length.of.at.most(1);
      if (holders.length > 0) expect(holder?.claimantId, `${email} with seed ${seed}`).to.equal(holders[0]);
    }
  }
});
