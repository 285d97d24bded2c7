import { Account, CLAIM_LOST, type AccountCommand } from '../../domain/accounts/account.js';
import { emailKey, hasEmail } from '../../domain/accounts/email.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { invalid, type DomainError } from '../../domain/errors.js';
import { AccountName, EmailAddress, KeyFingerprint } from '../../domain/claims/claim.js';
import type { Claimant } from '../claiming.js';
import { claimables, type Claimable } from '../claimable.js';
import type { ClaimTaken } from '../claims.js';

/** The part of the vault that makes digests, so that names of streams do not reveal what is claimed in them. */
export interface Digests {
  digest(kind: string, value: string): string;
}

/** Makes claimables whose claimants are accounts. */
const accountClaim = claimables(Account, ({ claimantId, holds, at }): AccountCommand => ({
  type: 'AbandonClaim',
  data: { accountId: claimantId, holds, at },
}));

/** Returns the claimable of a name, for which users and organizations compete. */
export const nameClaim = (vault: Digests, name: string): Claimable =>
  accountClaim(
    AccountName,
    vault.digest('account name', accountNameKey(name)),
    (account) => account.name !== null && accountNameKey(account.name) === accountNameKey(name),
  );

/** Returns the claimable of a user's e-mail address. */
export const emailClaim = (vault: Digests, email: string): Claimable =>
  accountClaim(EmailAddress, vault.digest('e-mail address', emailKey(email)), ({ profile }) =>
    hasEmail(profile.emails, email),
  );

/** Returns the claimable of a public key, which one account at a time may have. */
export const fingerprintClaim = (fingerprint: string): Claimable =>
  accountClaim(
    KeyFingerprint,
    Buffer.from(fingerprint.replace(/^SHA256:/, ''), 'base64').toString('hex'),
    ({ keys }) => keys.some((key) => key.fingerprint === fingerprint),
  );

/** Returns an existing account as a claimant. */
export const accountClaimant = (id: number): Claimant => ({
  category: Account.category,
  id,
  lost: CLAIM_LOST,
  refusal: takenField,
});

/** Makes the refusal of a name that another account has; `field` is the request's field with the name. */
export const nameTaken = (field: string): DomainError =>
  invalid('account.name_taken', field, 'a user or organization of this name already exists');

/** Makes the refusal of something that another account has, with the request's field that holds it. */
export function takenField({ category }: ClaimTaken): DomainError {
  if (category === AccountName.category) return nameTaken('Username');
  if (category === EmailAddress.category)
    return invalid('account.email_taken', 'Email', 'e-mail already in use');
  return invalid('public_key.taken', 'Key', 'Key content has been used as non-deploy key');
}
