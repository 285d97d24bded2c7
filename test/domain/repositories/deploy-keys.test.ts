import { DeployKeys, type DeployKeysEvent } from '../../../src/domain/repositories/deploy-keys.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const { given } = specification(DeployKeys);

const facts = (keyId: number, title: string, fingerprint: string) => ({
  keyId,
  title,
  key: `ssh-ed25519 ${fingerprint}`,
  fingerprint,
  readOnly: false,
  addedBy: 1,
});
const added = (keyId: number, title: string, fingerprint: string): DeployKeysEvent => ({
  type: 'DeployKeyAdded',
  data: { ...facts(keyId, title, fingerprint), addedAt: at },
});
const removed = (keyId: number): DeployKeysEvent => ({
  type: 'DeployKeyRemoved',
  data: { keyId, removedAt: at },
});
const add = (keyId: number, title: string, fingerprint: string, isOfUser = false) =>
  ({ type: 'AddDeployKey', data: { ...facts(keyId, title, fingerprint), isOfUser, at } }) as const;
const remove = (keyId: number) => ({ type: 'RemoveDeployKey', data: { keyId, at } }) as const;

describe('the deploy keys of a repository', () => {
  it('are added', () =>
    given()
      .when(add(1, 'ci', 'A'))
      .then(added(1, 'ci', 'A')));
  it('are each there once', () =>
    given(added(1, 'ci', 'A'))
      .when(add(2, 'cd', 'A'))
      .thenRefused('deploy_key.exists'));
  it('have titles of their own', () =>
    given(added(1, 'ci', 'A'))
      .when(add(2, 'ci', 'B'))
      .thenRefused('deploy_key.title_taken'));
  it('are no keys of users', () =>
    given()
      .when(add(1, 'ci', 'A', true))
      .thenRefused('deploy_key.of_user'));
  it('are removed', () =>
    given(added(1, 'ci', 'A'))
      .when(remove(1))
      .then(removed(1)));
  it('must be there to be removed', () => given().when(remove(1)).thenRefused('deploy_key.absent'));
  it('that were removed may come back', () =>
    given(added(1, 'ci', 'A'), removed(1))
      .when(add(2, 'ci', 'A'))
      .then(added(2, 'ci', 'A')));
});
