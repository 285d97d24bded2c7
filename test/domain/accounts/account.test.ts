import { expect } from 'chai';
import { findToken } from '../../../src/domain/accounts/access-tokens.js';
import {
  Account,
  CLAIM_LOST,
  type AccountCommand,
  type AccountEvent,
} from '../../../src/domain/accounts/account.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const accountId = 5;
const facts = {
  accountId,
  kind: 'user' as const,
  name: 'Alice',
  email: 'alice@example.org',
  fullName: '',
  loginName: '',
  sourceId: 0,
  visibility: 'public' as const,
  restricted: false,
  mustChangePassword: false,
  createdAt: at,
};
const create: AccountCommand = { type: 'CreateAccount', data: facts };
const abandon = (holds = false): AccountCommand => ({
  type: 'AbandonClaim',
  data: { accountId, holds, at },
});
const token = { accountId, scopes: ['all'], lastEight: '01234567' };
const createToken = (tokenId: number, name: string): AccountCommand => ({
  type: 'CreateAccessToken',
  data: { ...token, tokenId, name, at },
});
const deleteToken = (tokenId: number): AccountCommand => ({
  type: 'DeleteAccessToken',
  data: { accountId, tokenId, at },
});
const created: AccountEvent = { type: 'AccountCreated', data: facts };
const abandoned: AccountEvent = { type: 'ClaimAbandoned', data: { accountId, abandonedAt: at } };
const lost: AccountEvent = { type: 'ClaimLost', data: { accountId, lostAt: at } };
const tokenCreated = (tokenId: number, name: string): AccountEvent => ({
  type: 'AccessTokenCreated',
  data: { ...token, tokenId, name, createdAt: at },
});
const tokenDeleted = (tokenId: number, name: string): AccountEvent => ({
  type: 'AccessTokenDeleted',
  data: { accountId, tokenId, name, deletedAt: at },
});

const edit = (
  asked: Partial<Omit<Extract<AccountCommand, { type: 'EditAccount' }>['data'], 'accountId' | 'at'>>,
): AccountCommand => ({
  type: 'EditAccount',
  data: { accountId, settings: {}, profile: {}, newPassword: false, ...asked, at },
});
const edited = (
  changes: Partial<Omit<Extract<AccountEvent, { type: 'AccountEdited' }>['data'], 'accountId' | 'editedAt'>>,
): AccountEvent => ({
  type: 'AccountEdited',
  data: {
    accountId,
    settingsBefore: {},
    settings: {},
    profileBefore: {},
    profile: {},
    newPassword: false,
    editedAt: at,
    ...changes,
  },
});
const addEmails = (claimsLost: number, ...emails: string[]): AccountCommand => ({
  type: 'AddEmails',
  data: { accountId, emails, claimsLost, at },
});
const removeEmails = (...emails: string[]): AccountCommand => ({
  type: 'RemoveEmails',
  data: { accountId, emails, at },
});
const rename = (name: string, claimsLost = 0): AccountCommand => ({
  type: 'RenameAccount',
  data: { accountId, name, claimsLost, at },
});
const renamed = (before: string, name: string): AccountEvent => ({
  type: 'AccountRenamed',
  data: { accountId, before, name, renamedAt: at },
});
const command = (type: 'CloseAccount' | 'ReopenAccount' | 'DeleteAccount'): AccountCommand => ({
  type,
  data: { accountId, at },
});
const closing: AccountEvent = { type: 'AccountClosing', data: { accountId, closingAt: at } };
const reopened: AccountEvent = { type: 'AccountReopened', data: { accountId, reopenedAt: at } };
const deleted: AccountEvent = { type: 'AccountDeleted', data: { accountId, name: 'Alice', deletedAt: at } };
const key = (keyId: number, title: string, fingerprint = `SHA256:${keyId}`) => ({
  accountId,
  keyId,
  title,
  key: 'ssh-ed25519 AAAA',
  fingerprint,
  algorithm: 'ssh-ed25519',
});
const addKey = (keyId: number, title: string, claimsLost = 0, fingerprint?: string): AccountCommand => ({
  type: 'AddPublicKey',
  data: { ...key(keyId, title, fingerprint), claimsLost, at },
});
const keyAdded = (keyId: number, title: string): AccountEvent => ({
  type: 'PublicKeyAdded',
  data: { ...key(keyId, title), addedAt: at },
});
const removeKey = (keyId: number): AccountCommand => ({
  type: 'RemovePublicKey',
  data: { accountId, keyId, at },
});
const keyRemoved = (keyId: number, title: string): AccountEvent => ({
  type: 'PublicKeyRemoved',
  data: { accountId, keyId, title, fingerprint: `SHA256:${keyId}`, removedAt: at },
});

describe('Account', () => {
  const { given } = specification(Account);

  it('is created once', () => {
    given().when(create).then(created);
    given(created).when(create).thenRefused('account.exists');
  });
  it('is never created after its claims were abandoned', () => {
    given(abandoned).when(create).thenRefused('account.abandoned');
  });
  it('can never exist once its creation was abandoned', () => {
    given().when(abandon()).then(abandoned);
    given(abandoned).when(abandon()).then();
  });
  it('gives up what others took over, and refuses what was decided before', () => {
    given(created).when(abandon()).then(lost);
    given(created).when(abandon(true)).then();
    given(created, lost)
      .when(edit({ profile: { email: 'b@example.org' }, claimsLost: 0 }))
      .thenRefused(CLAIM_LOST);
    given(created, lost).when(addEmails(0, 'b@example.org')).thenRefused(CLAIM_LOST);
    given(created, lost).when(rename('Bob', 0)).thenRefused(CLAIM_LOST);
    given(created, lost)
      .when(addKey(1, 'laptop', 0))
      .thenRefused(CLAIM_LOST);
    given(created, lost).when(rename('Bob', 1)).then(renamed('Alice', 'Bob'));
  });
  it('records what an edit changes, as it was and as it is', () => {
    given(created)
      .when(edit({ settings: { restricted: true, active: true }, profile: { fullName: 'A.', location: '' } }))
      .then(
        edited({
          settingsBefore: { restricted: false },
          settings: { restricted: true },
          profileBefore: { fullName: '' },
          profile: { fullName: 'A.' },
        }),
      );
  });
  it('records an edit of settings alone', () => {
    given(created)
      .when(edit({ settings: { hideEmail: true } }))
      .then(edited({ settingsBefore: { hideEmail: false }, settings: { hideEmail: true } }));
  });
  it('records nothing when an edit changes nothing', () => {
    given(created)
      .when(edit({ settings: { visibility: 'public' }, profile: { email: facts.email } }))
      .then();
  });
  it('knows what it was created with, and what edits made of it', () => {
    const settings = {
      sourceId: 3,
      visibility: 'limited',
      restricted: true,
      mustChangePassword: true,
      repoAdminChangeTeamAccess: true,
    } as const;
    const profile = { fullName: 'A.', loginName: 'a', website: 'https://a', location: 'B', description: 'C' };
    const full: AccountEvent = { type: 'AccountCreated', data: { ...facts, ...settings, ...profile } };
    given(full)
      .when(edit({ settings, profile: { ...profile, email: facts.email } }))
      .then();
    const changed = edited({ settings: { visibility: 'private' }, profile: { pronouns: 'they' } });
    given(full, changed)
      .when(
        edit({
          settings: { ...settings, visibility: 'private' },
          profile: { ...profile, pronouns: 'they', email: facts.email },
        }),
      )
      .then();
  });
  it('has a primary address and no others where it is an organization', () => {
    const organization: AccountEvent = {
      type: 'AccountCreated',
      data: { ...facts, kind: 'organization' },
    };
    const { profile } = Account.evolve(Account.initialState, organization);
    expect([profile.email, profile.emails]).to.deep.equal([facts.email, []]);
    given(organization)
      .when(edit({ profile: { email: 'b@example.org' } }))
      .then(edited({ profileBefore: { email: facts.email }, profile: { email: 'b@example.org' } }));
  });
  it('records that the password is new, never which it is', () => {
    given(created)
      .when(edit({ newPassword: true, editId: 'one' }))
      .then(edited({ newPassword: true, editId: 'one' }));
  });
  it('knows the latest of the edits that the vault was told of, in their order', () => {
    const events = Array.from({ length: 102 }, (_, number) =>
      edited({ newPassword: true, editId: String(number) }),
    );
    const { announcedEdits } = [created, ...events, edited({})].reduce(
      (state, event) => Account.evolve(state, event),
      Account.initialState,
    );
    expect([announcedEdits.length, announcedEdits[0], announcedEdits.at(-1)]).to.deep.equal([
      100,
      '2',
      '101',
    ]);
  });
  it('keeps its old address when it gets another primary one', () => {
    const both = ['alice@example.org', 'b@example.org'];
    given(created)
      .when(edit({ profile: { email: 'b@example.org' } }))
      .then(
        edited({
          profileBefore: { email: facts.email, emails: [facts.email] },
          profile: { email: 'b@example.org', emails: both },
        }),
      );
  });
  it('writes an address in another letter case in the place of the old one', () => {
    given(created)
      .when(edit({ profile: { email: 'Alice@example.org' } }))
      .then(
        edited({
          profileBefore: { email: facts.email, emails: [facts.email] },
          profile: { email: 'Alice@example.org', emails: ['Alice@example.org'] },
        }),
      );
  });
  it('adds addresses that it does not have, and removes all but the primary one', () => {
    const added = edited({
      profileBefore: { emails: [facts.email] },
      profile: { emails: [facts.email, 'b@example.org'] },
    });
    given(created).when(addEmails(0, 'b@example.org')).then(added);
    given(created, added).when(addEmails(0, 'B@example.org')).thenRefused('account.email_taken');
    given(created, added)
      .when(addEmails(0, 'c@example.org', 'B@example.org'))
      .thenRefused('account.email_taken');
    given(created, added)
      .when(removeEmails('B@example.org'))
      .then(
        edited({
          profileBefore: { emails: [facts.email, 'b@example.org'] },
          profile: { emails: [facts.email] },
        }),
      );
    given(created, added).when(removeEmails('ALICE@example.org')).thenRefused('account.email_primary');
    given(created, added).when(removeEmails('c@example.org')).thenRefused('account.email_absent');
    given(created, added)
      .when(removeEmails('b@example.org', 'c@example.org'))
      .thenRefused('account.email_absent');
  });
  it('has a hundred addresses at most', () => {
    const more = Array.from({ length: 99 }, (_, n) => `${n}@example.org`);
    const full = edited({
      profileBefore: { emails: [facts.email] },
      profile: { emails: [facts.email, ...more] },
    });
    given(created)
      .when(addEmails(0, ...more))
      .then(full);
    given(created, full).when(addEmails(0, 'b@example.org')).thenRefused('account.emails_many');
    const primary = (email: string) => edit({ profile: { email } });
    given(created, full).when(primary('b@example.org')).thenRefused('account.emails_many');
    given(created, full)
      .when(primary('0@example.org'))
      .then(edited({ profileBefore: { email: facts.email }, profile: { email: '0@example.org' } }));
  });
  it('refuses what was decided upon before a name or a key was given up', () => {
    given(created, renamed('Alice', 'Bob')).when(rename('Alice', 0)).thenRefused(CLAIM_LOST);
    given(created, keyAdded(1, 'laptop'), keyRemoved(1, 'laptop'))
      .when(addKey(1, 'laptop', 0))
      .thenRefused(CLAIM_LOST);
    given(created, keyAdded(1, 'laptop'))
      .when(addKey(2, 'other', 0))
      .then(keyAdded(2, 'other'));
  });
  it('takes what was decided upon since', () => {
    given(created, renamed('Alice', 'Bob')).when(rename('Alice', 1)).then(renamed('Bob', 'Alice'));
    given(created, keyAdded(1, 'laptop'), keyRemoved(1, 'laptop'))
      .when(addKey(1, 'laptop', 1))
      .then(keyAdded(1, 'laptop'));
  });
  it('refuses an address decided upon before another was given up', () => {
    const given_up = edited({
      profileBefore: { emails: [facts.email, 'b@example.org'] },
      profile: { emails: [facts.email] },
    });
    given(created, given_up).when(addEmails(0, 'b@example.org')).thenRefused(CLAIM_LOST);
  });
  it('is renamed, in letter case alone too', () => {
    given(created).when(rename('Bob')).then(renamed('Alice', 'Bob'));
    given(created).when(rename('ALICE')).then(renamed('Alice', 'ALICE'));
    given(created).when(rename('Alice')).then();
  });
  it('is deleted once its deletion has begun', () => {
    given(created).when(command('DeleteAccount')).thenRefused('account.reopened');
    given(created).when(command('CloseAccount')).then(closing);
    given(created, closing).when(command('CloseAccount')).then();
    given(created, closing).when(command('ReopenAccount')).then(reopened);
    given(created).when(command('ReopenAccount')).then();
    given(created, closing, reopened).when(command('DeleteAccount')).thenRefused('account.reopened');
    given(created, closing).when(command('DeleteAccount')).then(deleted);
  });
  it('is erased once it is deleted, and once is enough', () => {
    const erase: AccountCommand = { type: 'ErasePerson', data: { accountId, at } };
    const erased: AccountEvent = { type: 'PersonErased', data: { accountId, erasedAt: at } };
    given(created).when(erase).thenRefused('account.not_deleted');
    given(created, closing, deleted).when(erase).then(erased);
    given(created, closing, deleted, erased).when(erase).then();
    given(created, closing)
      .when({ type: 'DeleteAccount', data: { accountId, erase: true, at } })
      .then({ type: 'AccountDeleted', data: { accountId, name: 'Alice', erase: true, deletedAt: at } });
  });

  it('is gone for good when it is deleted', () => {
    for (const late of [
      edit({}),
      rename('Bob'),
      command('CloseAccount'),
      createToken(1, 'ci'),
      addKey(1, 'a'),
    ])
      given(created, closing, deleted).when(late).thenRefused('account.absent');
    given(created, closing, deleted).when(create).thenRefused('account.exists');
    given(created, closing, deleted).when(abandon()).then();
  });
  it('has public keys of different titles and fingerprints', () => {
    given(created).when(addKey(1, 'laptop')).then(keyAdded(1, 'laptop'));
    given(created, keyAdded(1, 'laptop')).when(addKey(2, 'laptop')).thenRefused('public_key.title_taken');
    given(created, keyAdded(1, 'laptop'))
      .when(addKey(2, 'other', 0, 'SHA256:1'))
      .thenRefused('public_key.taken');
  });
  it('removes a public key that it has', () => {
    given(created, keyAdded(1, 'laptop')).when(removeKey(1)).then(keyRemoved(1, 'laptop'));
    given(created).when(removeKey(1)).thenRefused('public_key.absent');
  });
  it('has access tokens of different names, by letter case too', () => {
    given(created, tokenCreated(1, 'ci')).when(createToken(2, 'CI')).then(tokenCreated(2, 'CI'));
    given(created, tokenCreated(1, 'ci')).when(createToken(2, 'ci')).thenRefused('access_token.name_taken');
  });
  it('may use the name of a deleted access token again', () => {
    given(created, tokenCreated(1, 'ci'), tokenDeleted(1, 'ci'))
      .when(createToken(2, 'ci'))
      .then(tokenCreated(2, 'ci'));
  });
  it('deletes an access token that it has', () => {
    given(created, tokenCreated(1, 'ci')).when(deleteToken(1)).then(tokenDeleted(1, 'ci'));
    given(created, tokenCreated(1, 'ci'), tokenDeleted(1, 'ci'))
      .when(deleteToken(1))
      .thenRefused('access_token.absent');
  });
  it('must exist to have access tokens', () => {
    given().when(createToken(1, 'ci')).thenRefused('account.absent');
    given(abandoned).when(deleteToken(1)).thenRefused('account.absent');
  });
  it('finds an access token by id, and by name where no id fits', () => {
    const { tokens } = [created, tokenCreated(1, '2'), tokenCreated(2, '3')].reduce(
      (state, event) => Account.evolve(state, event),
      Account.initialState,
    );
    expect(findToken(tokens, '1')).to.equal(1);
    expect(findToken(tokens, '2')).to.equal(2);
    expect(findToken(tokens, '3')).to.equal(2);
    expect(() => findToken(tokens, '4'))
      .to.throw()
      .with.property('code', 'access_token.absent');
  });
});
