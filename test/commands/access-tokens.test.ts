import { expect } from 'chai';
import { createAccessToken, deleteAccessToken } from '../../src/commands/accounts/access-tokens.js';
import { createUser } from '../../src/commands/accounts/create-account.js';
import type { CommandContext } from '../../src/commands/context.js';
import { Account } from '../../src/domain/accounts/account.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import type { Vault } from '../../src/vault/vault.js';
import { accountProcess } from '../support/account-process.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('access tokens', () => {
  let vaults: TestVaults;
  let vault: Vault;
  let services: ReturnType<typeof accountProcess> & { vault: Vault };
  let store: MemoryEventStore;
  let accountId: number;
  let commands = 0;

  before(async () => {
    vaults = await testVaults();
    vault = await vaults.open();
    store = new MemoryEventStore();
    services = { ...accountProcess({ store, people: new TestPeople() }), vault };
    const alice = { name: 'alice', email: 'alice@example.org', password: 'long enough' };
    accountId = (await createUser(services, alice, context())).accountId;
  });
  after(() => vaults.close());

  const context = (more: Partial<CommandContext> = {}): CommandContext => ({
    commandId: `command ${++commands}`,
    at: '2026-01-01T00:00:00Z',
    ...more,
  });
  const create = (name: string, scopes: readonly string[] = ['all']) =>
    createAccessToken(services, { accountId, name, scopes }, context());
  const remove = (token: string, more?: Partial<CommandContext>) =>
    deleteAccessToken(services, { accountId, token }, context(more));

  it('are made with normalised scopes and a secret', async () => {
    const token = await create('first', ['read:user', 'write:user', 'read:admin']);
    expect(token.scopes).to.deep.equal(['read:admin', 'write:user']);
    expect(token.lastEight).to.equal(token.secret.slice(-8));
    expect(token.position).to.equal(await store.lastPosition());
    expect(await vault.tokens.find(token.secret)).to.deep.equal({
      tokenId: token.tokenId,
      accountId,
      scopes: token.scopes,
    });
  });
  it('leave no secret in the log', async () => {
    const { secret } = await create('logged');
    const events = await store.readStream(`account-${accountId}`);
    expect(JSON.stringify(events.map(({ data, metadata }) => [data, metadata]))).not.to.include(secret);
  });
  it('are refused under a name that is used, and leave nothing in the vault', async () => {
    await create('twice');
    const before = await vaults.database.rows('select token_id from vault.tokens');
    expect(await rejection(create('twice'))).to.include({
      kind: 'bad-request',
      code: 'access_token.name_taken',
    });
    expect(await vaults.database.rows('select token_id from vault.tokens')).to.deep.equal(before);
  });
  it('are refused with unknown scopes, and with none', async () => {
    expect(await rejection(create('x', ['write:everything']))).to.include({ kind: 'bad-request' });
    expect(await rejection(create('x', []))).to.include({ kind: 'bad-request' });
  });
  it('end when they are deleted by id or by name', async () => {
    for (const by of ['id', 'name'] as const) {
      const { tokenId, secret } = await create('doomed');
      await remove(by === 'id' ? String(tokenId) : 'doomed');
      expect(await vault.tokens.find(secret)).to.equal(undefined);
    }
  });
  it('that are not there cannot be deleted', async () => {
    expect(await rejection(remove('never'))).to.have.property('code', 'access_token.absent');
  });
  it('whose answer was lost are given again, with a secret that works', async () => {
    const asked = { accountId, name: 'lost', scopes: ['all'] };
    const given = context({ repeatable: true });
    const first = await createAccessToken(services, asked, given);
    const again = await createAccessToken(services, asked, given);
    expect(again).to.deep.equal({ ...first, secret: again.secret });
    expect(again.secret)
      .to.match(/^[0-9a-f]{40}$/)
      .and.satisfy((text: string) => text.endsWith(first.lastEight));
    expect(await vault.tokens.find(first.secret)).to.equal(undefined);
    expect(await vault.tokens.find(again.secret)).to.have.property('tokenId', first.tokenId);
    await remove('lost');
    const { secret } = await createAccessToken(services, asked, given);
    expect(await vault.tokens.find(secret), 'deleted since then').to.equal(undefined);
  });
  it('are deleted once by a command that is repeated', async () => {
    await create('repeated');
    const given = { commandId: 'once', repeatable: true };
    const first = await remove('repeated', given);
    const { secret } = await create('repeated');
    expect((await remove('repeated', given)).position).to.equal(first.position);
    expect(await vault.tokens.find(secret)).not.to.equal(undefined);
  });
  it('go on working while they are listed, where a deletion is not stored', async () => {
    const { secret } = await create('kept');
    const beforeAppend = () => Promise.reject(new Error('ended here'));
    expect(await rejection(remove('kept', { beforeAppend }))).to.have.property('message', 'ended here');
    expect(await vault.tokens.find(secret)).not.to.equal(undefined);
  });
  it('end when the deletion is repeated that was cut off after it was stored', async () => {
    const { tokenId, secret } = await create('half');
    const given = context({ repeatable: true });
    const data = { accountId, tokenId, at: given.at };
    await services.commands.handle(Account, accountId, { type: 'DeleteAccessToken', data }, given);
    await remove('half', given);
    expect(await vault.tokens.find(secret)).to.equal(undefined);
  });
});
