import type { Map } from 'immutable';
import { invalid, notFound } from '../errors.js';
import type { AccountCommand, AccountEvent } from './account-messages.js';
import type { Personal } from './profile.js';

type PublicKeysCommand = Extract<AccountCommand, { type: 'AddPublicKey' | 'RemovePublicKey' }>;
type PublicKeysEvent = Extract<AccountEvent, { type: 'PublicKeyAdded' | 'PublicKeyRemoved' }>;

/** The public keys of an account, by id: a part of the Account aggregate. */
export type PublicKeys = Map<number, { readonly title: Personal; readonly fingerprint: string }>;

/** Applies one event to the keys. */
export function evolvePublicKeys(keys: PublicKeys, { type, data }: PublicKeysEvent): PublicKeys {
  switch (type) {
    case 'PublicKeyAdded':
      return keys.set(data.keyId, { title: data.title, fingerprint: data.fingerprint });
    case 'PublicKeyRemoved':
      return keys.delete(data.keyId);
  }
}

/** Decides commands about keys of an existing account. Refuses a key or title twice, and to remove an absent key. */
export function decidePublicKeys(
  { type, data }: PublicKeysCommand,
  keys: PublicKeys,
): readonly PublicKeysEvent[] {
  switch (type) {
    case 'AddPublicKey': {
      const { at: addedAt, claimsLost: _, ...key } = data;
      if (keys.some(({ fingerprint }) => fingerprint === key.fingerprint))
        throw invalid('public_key.taken', 'Key', 'Key content has been used as non-deploy key');
      if (keys.some(({ title }) => title === key.title))
        throw invalid('public_key.title_taken', 'Title', 'Key title has been used');
      return [{ type: 'PublicKeyAdded', data: { ...key, addedAt } }];
    }
    case 'RemovePublicKey': {
      const { accountId, keyId, at: removedAt } = data;
      const key = keys.get(keyId);
      if (!key) throw notFound('public_key.absent', 'the key does not exist');
      return [{ type: 'PublicKeyRemoved', data: { accountId, keyId, ...key, removedAt } }];
    }
  }
}
