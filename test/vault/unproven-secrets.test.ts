import { expect } from 'chai';
import { CommandHandler } from '../../src/commands/handle.js';
import { secretOwners } from '../../src/commands/secret-owners.js';
import { Hook } from '../../src/domain/hooks/hook.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import type { Owners } from '../../src/vault/unproven-secrets.js';
import type { Vault } from '../../src/vault/vault.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('secrets whose owner never came to be', () => {
  let vaults: TestVaults;
  let vault: Vault;

  beforeEach(async () => {
    vaults = await testVaults();
    vault = await vaults.open();
  });
  afterEach(() => vaults.close());

  const nobody = () => Promise.resolve(false);
  const none = () => Promise.resolve([]);
  const settle = (exists: Owners, { signal } = new AbortController()) =>
    vault.unproven.settle(exists, signal);
  const makeOlder = () =>
    vaults.database.rows(`
      update vault.hook_secrets set unproven_since = unproven_since - interval '61 minutes';
      update vault.mirrors set unproven_since = unproven_since - interval '61 minutes'`);
  const credentials = { username: 'me', password: 's3cret' };

  it('are forgotten after an hour, and those of others are not asked about again', async () => {
    for (const id of [1, 2]) {
      await vault.hookSecrets.keep(id, 'secret', 'never named');
      await vault.mirrors.keep(id, credentials);
    }
    const named = await vault.hookSecrets.keep(1, 'secret', 'named');
    await settle({ hook: none, mirror: nobody, edit: nobody });
    expect([...(await vault.hookSecrets.findEach([2])).values()], 'it may be about to come').to.have.length(
      1,
    );
    await makeOlder();
    const asked: string[] = [];
    const hook = (id: number) => {
      asked.push(`hook ${id}`);
      return Promise.resolve(id === 1 ? [named] : []);
    };
    const mirror = (id: number) => {
      asked.push(`mirror ${id}`);
      return Promise.resolve(id === 1);
    };
    for (let times = 0; times < 2; times++) {
      await settle({ hook, mirror, edit: nobody });
      await makeOlder();
    }
    expect(asked).to.have.members(['hook 1', 'hook 2', 'mirror 1', 'mirror 2']);
    expect([...(await vault.hookSecrets.findEach([1, 2]))]).to.deep.equal([[named, 'named']]);
    expect(await vault.mirrors.find(1)).to.deep.equal(credentials);
    expect(await vault.mirrors.find(2)).to.equal(undefined);
  });

  it('stay where they are kept anew meanwhile', async () => {
    await vault.hookSecrets.keep(1, 'secret', 'one');
    await vault.mirrors.keep(1, credentials);
    await makeOlder();
    await settle({
      hook: () => vault.hookSecrets.keep(1, 'secret', 'two').then(() => []),
      mirror: () => vault.mirrors.keep(1, credentials).then(() => false),
      edit: nobody,
    });
    expect([...(await vault.hookSecrets.findEach([1])).values()]).to.deep.equal(['two']);
    expect(await vault.mirrors.find(1)).to.deep.equal(credentials);
  });

  it('wait where somebody stops', async () => {
    for (const id of [1, 2]) await vault.hookSecrets.keep(id, 'secret', 'one');
    await vault.mirrors.keep(1, credentials);
    await makeOlder();
    const stop = new AbortController();
    const asked: number[] = [];
    const hook = (id: number) => {
      asked.push(id);
      stop.abort();
      return none();
    };
    await settle({ hook, mirror: nobody, edit: nobody }, stop);
    expect(asked).to.have.length(1);
    expect(await vault.hookSecrets.findEach([1, 2])).to.have.property('size', 1);
    expect(await vault.mirrors.find(1)).to.deep.equal(credentials);
  });

  it('do not wait for one whose owner cannot be looked up, which stays', async () => {
    for (const id of [1, 2]) await vault.hookSecrets.keep(id, 'secret', 'one');
    await vault.mirrors.keep(1, credentials);
    await makeOlder();
    const damaged = new Error('a damaged stream');
    const hook = (id: number) => (id === 1 ? Promise.reject(damaged) : none());
    expect(await rejection(settle({ hook, mirror: nobody, edit: nobody }))).to.equal(damaged);
    expect(await vault.hookSecrets.findEach([1])).to.have.property('size', 1);
    expect(await vault.hookSecrets.findEach([2])).to.have.property('size', 0);
    expect(await vault.mirrors.find(1)).to.equal(undefined);
  });

  it('are told from others by the log', async () => {
    const log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
    const commands = new CommandHandler({ log });
    const owners = secretOwners({ commands, vault });
    const at = '2026-01-01T00:00:00Z';
    expect(await owners.hook(1)).to.deep.equal([]);
    const facts = {
      url: 'https://example.org',
      contentType: 'json',
      events: [],
      branchFilter: '',
      isActive: true,
      secretId: 'the secret',
      authorizationId: null,
    } as const;
    const data = { hookId: 1, scope: 'system', ownerId: 0, type: 'forgejo', facts, at } as const;
    await commands.handle(Hook, 1, { type: 'CreateHook', data }, { commandId: 'create', at });
    expect(await owners.hook(1)).to.deep.equal(['the secret']);
    await commands.handle(Hook, 1, { type: 'DeleteHook', data: { at } }, { commandId: 'delete', at });
    expect(await owners.hook(1)).to.deep.equal([]);
    expect(await owners.mirror(1)).to.equal(false);
  });
});
