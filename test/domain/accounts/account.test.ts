import { expect } from 'chai';
import {
  Account,
  findToken,
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
const abandon: AccountCommand = { type: 'AbandonClaim', data: { accountId, at } };
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
const tokenCreated = (tokenId: number, name: string): AccountEvent => ({
  type: 'AccessTokenCreated',
  data: { ...token, tokenId, name, createdAt: at },
});
const tokenDeleted = (tokenId: number, name: string): AccountEvent => ({
  type: 'AccessTokenDeleted',
  data: { accountId, tokenId, name, deletedAt: at },
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
  it('is abandoned only while it does not exist, and once', () => {
    given().when(abandon).then(abandoned);
    given(abandoned).when(abandon).then();
    given(created).when(abandon).thenRefused('account.exists');
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
    const state = [created, tokenCreated(1, '2'), tokenCreated(2, '3')].reduce(
      (state, event) => Account.evolve(state, event),
      Account.initialState,
    );
    expect(findToken(state, '1')).to.equal(1);
    expect(findToken(state, '2')).to.equal(2);
    expect(findToken(state, '3')).to.equal(2);
    expect(() => findToken(state, '4'))
      .to.throw()
      .with.property('code', 'access_token.absent');
  });
});
