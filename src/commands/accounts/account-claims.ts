import { Account, CLAIM_LOST, type AccountCommand } from '../../domain/accounts/account.js';
import { emailKey, hasEmail } from '../../domain/accounts/email.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { invalid, type DomainError } from '../../domain/errors.js';
import { AccountName, EmailAddress, KeyFingerprint } from '../../domain/reservations/reservation.js';
import type { Claimant } from '../claiming.js';
import { claimables, type Claimable } from '../claimable.js';
import type { ClaimTaken } from '../claims.js';

/** A vault that digests: names of streams tell nothing of what they are about. */
export interface Digests {
  digest(kind: string, value: string): string;
}

/** What accounts claim. */
const accountClaim = claimables(Account, ({ claimantId, holds, at }): AccountCommand => ({
  type: 'AbandonClaim',
  data: { accountId: claimantId, holds, at },
}));

/** The name of a user or an organization, as it is claimed. */
export const nameClaim = (vault: Digests, name: string): Claimable =>
  accountClaim(
    AccountName,
    vault.digest('account name', accountNameKey(name)),
    (account) => account.name !== null && accountNameKey(account.name) === accountNameKey(name),
  );

/** An e-mail address of a user, as it is claimed. */
export const emailClaim = (vault: Digests, email: string): Claimable =>
  accountClaim(EmailAddress, vault.digest('e-mail address', emailKey(email)), ({ profile }) =>
    hasEmail(profile.emails, email),
  );

/** A public key, as it is claimed: one account at a time has it. */
export const fingerprintClaim = (fingerprint: string): Claimable =>
  accountClaim(
    KeyFingerprint,
    Buffer.from(fingerprint.replace(/^SHA256:/, ''), 'base64').toString('hex'),
    ({ keys }) => keys.some((key) => key.fingerprint === fingerprint),
  );

/** An account that claims more. */
export const accountClaimant = (id: number): Claimant => ({
  category: Account.category,
  id,
  lost: CLAIM_LOST,
  refusal: takenField,
});

/** The refusal of a name that another account has; `field` is the request's field that asked for it. */
export const nameTaken = (field: string): DomainError =>
  invalid('account.name_taken', field, 'a user or organization of this name already exists');

/** Says which field holds what somebody else has. */
export function takenField({ category }: ClaimTaken): DomainError {
  if (category === AccountName.category) return nameTaken('Username');
  if (category === EmailAddress.category)
    return invalid('account.email_taken', 'Email', 'e-mail already in use');
  return invalid('public_key.taken', 'Key', 'Key content has been used as non-deploy key');
}
