import { Account } from '../../domain/accounts/account.js';
import type { Position } from '../../event-store/event-store.js';
import { claiming, orGiveUp } from '../claiming.js';
import type { CommandContext } from '../context.js';
import { accountClaimant, fingerprintClaim } from './account-claims.js';
import type { CreationServices } from './create-account.js';
import { existing } from './existing.js';
import { parsePublicKey, type PublicKey } from './parse-public-key.js';

/** A key that was added to an account; `position` is that of its event. */
export interface AddedPublicKey extends PublicKey {
  readonly keyId: number;
  readonly position: Position;
}

/**
 * Adds a public key to an account. Refuses as `invalid` what `parsePublicKey` refuses, a key that any account has, and a
 * title that the account already uses.
 */
export async function addPublicKey(
  { commands, claims, ids }: Pick<CreationServices, 'commands' | 'claims' | 'ids'>,
  { accountId, title, key: text }: { accountId: number; title: string; key: string },
  context: CommandContext,
): Promise<AddedPublicKey> {
  const key = parsePublicKey(text);
  const { algorithm, fingerprint, line } = key;
  return claiming(claims, accountClaimant(accountId), context, async (own) => {
    const earlier = await commands.repeated(Account, accountId, own);
    const done = earlier?.events.find((event) => event.type === 'PublicKeyAdded')?.data;
    if (earlier && done) return { ...key, keyId: done.keyId, position: earlier.position };
    const state = await existing({ commands }, accountId);
    const facts = { accountId, title, key: line, fingerprint, algorithm, claimsLost: state.claimsLost };
    const add = (keyId: number) => ({ type: 'AddPublicKey', data: { ...facts, keyId, at: own.at } }) as const;
    Account.decide(add(0), state); // most refusals come before anything is claimed
    const claim = await claims.claim(fingerprintClaim(fingerprint), accountId, own);
    const keyId = await ids.next('publicKey');
    const { position } = await orGiveUp(claims, claim, own, () =>
      commands.handle(Account, accountId, add(keyId), own),
    );
    return { ...key, keyId, position };
  });
}

/**
 * Removes a public key from its account, and releases it for others. Refuses as `not-found` if the account does not have
 * it.
 */
export async function removePublicKey(
  { commands, claims }: Pick<CreationServices, 'commands' | 'claims'>,
  { accountId, keyId }: { accountId: number; keyId: number },
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  return claims.inTurn(Account, accountId, async () => {
    const key = (await existing({ commands }, accountId)).keys.get(keyId);
    const held = key && (await claims.find(fingerprintClaim(key.fingerprint), accountId));
    const data = { accountId, keyId, at: context.at };
    const removed = await commands.handle(Account, accountId, { type: 'RemovePublicKey', data }, context);
    if (held) await claims.release(held, context);
    return removed;
  });
}
