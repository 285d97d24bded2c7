import { expect } from 'chai';
import { createUser, type AccountServices } from '../../../src/commands/accounts/create-account.js';
import type { CommandContext } from '../../../src/commands/context.js';
import { editAccount, type AccountEdit } from '../../../src/commands/accounts/edit-account.js';
import { Account, CLAIM_LOST } from '../../../src/domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../../src/domain/accounts/administrators.js';
import { EventStoreUnavailable, type EventStore } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import type { CredentialsEdit, RecordedAccount } from '../../../src/vault/credentials.js';
import { accountProcess } from '../../support/account-process.js';
import { InterceptedStore } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const EMAIL = 'new@example.org';
const everything: AccountEdit = {
  settings: { prohibitLogin: true },
  profile: { email: EMAIL },
  password: 'another one',
  admin: false,
};

describe('an edit of an account', () => {
  let store: MemoryEventStore;
  let people: TestPeople;
  let commands: number;
  /** What the vault was told of edits, and then of the account as the log has it, in order. */
  let told: object[];

  beforeEach(() => {
    store = new MemoryEventStore();
    people = new TestPeople();
    commands = 0;
    told = [];
  });

  const process = (on: EventStore = store) => accountProcess({ store: on, people, patienceMs: 60_000 });
  const context = () => ({ commandId: `command ${++commands}`, at });
  const create = async (name: string) => {
    const user = { name, email: `${name}@example.org`, password: 'long enough' };
    return (await createUser(process(), user, context())).accountId;
  };
  const appoint = (accountId: number) => {
    const command = { type: 'AppointAdministrator', data: { accountId, at } } as const;
    return process().commands.handle(Administrators, ADMINISTRATORS, command, context());
  };
  /** Two administrators; the id of the second. */
  const administrators = async () => {
    await appoint(await create('one'));
    const two = await create('two');
    await appoint(two);
    return two;
  };
  const edit = (
    services: AccountServices,
    accountId: number,
    asked: AccountEdit,
    change: (flags: object) => void = () => undefined,
    own: CommandContext = context(),
  ) => {
    const tell = (what: string, { id, edits, ...flags }: { id?: string; edits?: readonly string[] }) => {
      change(flags);
      told.push({ [what]: flags });
      expect(id ?? edits, what).to.not.equal(undefined);
      return Promise.resolve();
    };
    const credentials = {
      announce: (_: number, announced: CredentialsEdit) => tell('announced', announced),
      isAnnounced: () => Promise.resolve(true),
      settle: (_: number, recorded: RecordedAccount) => tell('settled', recorded),
      forget: () => Promise.resolve(),
    };
    const sessions = { endAll: () => Promise.resolve() };
    return editAccount(
      { ...services, vault: { ...services.vault, credentials, sessions } },
      accountId,
      asked,
      own,
    );
  };
  const standing = async (accountId: number) => {
    const { commands: handler } = process();
    const { settings, profile } = (await handler.load(Account, accountId)).state;
    const { canAct } = (await handler.load(Administrators, ADMINISTRATORS)).state;
    return { prohibited: settings.prohibitLogin, email: profile.email, canAct: canAct.get(accountId) };
  };
  const announced = { announced: { prohibited: true, password: 'another one' } };
  const settled = (prohibited: boolean) => ({
    settled: { active: true, prohibited, mustChangePassword: false },
  });
  const untouched = { prohibited: false, email: 'two@example.org', canAct: true };

  it('that appoints counts nobody as open whom another closes meanwhile', async () => {
    await appoint(await create('one'));
    const two = await create('two');
    let closed: Promise<unknown> | undefined;
    const paused = new InterceptedStore(store, {
      beforeRead: async (stream) => {
        const { canAct } = (await process().commands.load(Administrators, ADMINISTRATORS)).state;
        if (stream !== 'administrators-main' || !canAct.get(two) || closed) return;
        await (closed = edit(process(), two, { settings: { prohibitLogin: true } }));
      },
    });
    await edit(process(paused), two, { admin: true });
    expect(closed).to.not.equal(undefined);
    expect(await standing(two)).to.include({ prohibited: true, canAct: false });
  });

  it('tells the vault before the log, and settles it by the log', async () => {
    const two = await administrators();
    await edit(process(), two, everything);
    expect(told).to.deep.equal([announced, settled(true)]);
    expect(await standing(two)).to.deep.equal({ prohibited: true, email: EMAIL, canAct: undefined });
  });

  it('that the vault fails is taken back whole', async () => {
    const two = await administrators();
    const failing = edit(process(), two, everything, () => {
      throw new Error('no vault');
    });
    expect((await rejection(failing)).message).to.equal('no vault');
    expect(await standing(two)).to.deep.equal(untouched);
    await edit(process(), await create('three'), { profile: { email: EMAIL } });
  });

  for (const [what, asked, canAct] of [
    ['dismisses', everything, undefined],
    ['closes', { settings: everything.settings ?? {}, profile: { email: EMAIL } }, false],
  ] as const)
    it(`that ${what} and was taken back is done when its request comes again`, async () => {
      const two = await administrators();
      const own = { ...context(), repeatable: true };
      for (let time = 1; time <= 2; time += 1) {
        const failing = edit(
          process(),
          two,
          asked,
          () => {
            throw new Error('no vault');
          },
          own,
        );
        expect((await rejection(failing)).message).to.equal('no vault');
        expect(await standing(two)).to.deep.equal(untouched);
      }
      await edit(process(), two, asked, undefined, own);
      expect(await standing(two)).to.deep.equal({ prohibited: true, email: EMAIL, canAct });
      await appoint(two);
      await edit(process(), two, asked, undefined, own);
      expect((await standing(two)).canAct, 'in office, and closed').to.equal(false);
    });

  it('that is refused at the last moment is taken back whole, in the vault too', async () => {
    const two = await administrators();
    const late = new InterceptedStore(store, {
      beforeAppend: async (stream, [event]) => {
        if (stream !== `account-${two}` || event?.type !== 'AccountEdited') return;
        const command = { type: 'AbandonClaim', data: { accountId: two, holds: false, at } } as const;
        await process().commands.handle(Account, two, command, context());
      },
    });
    const refused = await rejection(edit(process(late), two, everything));
    expect(refused).to.include({ code: CLAIM_LOST });
    expect(told.slice(-2)).to.deep.equal([announced, settled(false)]);
    expect(await standing(two)).to.deep.equal(untouched);
    await edit(process(), await create('three'), { profile: { email: EMAIL } });
  });

  it('of which nobody knows whether it came about leaves the account closed', async () => {
    const two = await administrators();
    const broken = new InterceptedStore(store, {
      beforeAppend: (stream) => {
        if (stream === `account-${two}`) throw new EventStoreUnavailable('cut off');
      },
    });
    expect(await rejection(edit(process(broken), two, everything))).to.be.instanceOf(EventStoreUnavailable);
    expect(told).to.deep.equal([announced]);
    await edit(process(), two, everything); // the same again completes it
    expect(await standing(two)).to.deep.equal({ prohibited: true, email: EMAIL, canAct: undefined });
  });

  it('of the last administrator changes nothing, nor tells the vault', async () => {
    const two = await administrators();
    await edit(process(), two, { admin: false });
    told = [];
    const refused = edit(process(), 1, everything);
    expect(await rejection(refused)).to.include({ code: 'administrators.last' });
    expect(told).to.deep.equal([]);
  });
});
