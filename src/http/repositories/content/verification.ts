import type { z } from 'zod';
import type { Queryable } from '../../../database/queryable.js';
import type { Signature, Signed } from '../../../git/port/objects.js';
import { findKeyOwners } from '../../../queries/accounts/public-keys.js';
import { readSshSignature, type SshSignature } from '../../../signatures/ssh-signature.js';
import type { OwnerOf } from './owners.js';
import type { Verification } from './schema.js';

type PresentedVerification = z.output<typeof Verification>;

/** A commit, or a tag with its tagger as committer. */
export interface Verifiable {
  readonly committer: Pick<Signature, 'email'>;
  readonly signed?: Signed | undefined;
}

/** Presents a signature, and whether it is valid. */
export type Verify = (subject: Verifiable) => PresentedVerification;

/** Presents a signature as unverified, for a reason. */
export const presentVerification = (
  signed: Signed | undefined,
  reason = 'gpg.error.no_gpg_keys_found',
): PresentedVerification => ({
  verified: false,
  reason: signed ? reason : 'gpg.error.not_signed_commit',
  signature: signed?.signature ?? '',
  payload: signed?.payload ?? '',
  signer: null,
});

/**
 * Verifies SSH signatures: valid are those made with a public key of the account that has the committer's address. Reads
 * the keys in one query. Signatures of other programs are presented as unverified.
 */
export async function verifierOf(
  db: Queryable,
  subjects: readonly Verifiable[],
  ownerOf: OwnerOf,
): Promise<Verify> {
  const signatures = new Map<string, SshSignature>();
  for (const { signed } of subjects) {
    const signature = signed && readSshSignature(signed.signature);
    if (signature) signatures.set(signed.signature, signature);
  }
  const keyOwners = await findKeyOwners(
    db,
    Array.from(signatures.values(), ({ fingerprint }) => fingerprint),
  );
  return ({ committer, signed }) => {
    const signature = signed && signatures.get(signed.signature);
    const owner = ownerOf(committer);
    if (!signed || !signature || !owner?.name || keyOwners.get(signature.fingerprint) !== owner.id)
      return presentVerification(signed);
    if (!signature.covers(signed.bytes === undefined ? signed.payload : Buffer.from(signed.bytes, 'base64')))
      return presentVerification(signed, 'gpg.error.probable_bad_signature');
    return {
      ...presentVerification(signed),
      verified: true,
      reason: `${owner.name} / ${signature.fingerprint}`,
      signer: { name: owner.name, email: committer.email, username: owner.name },
    };
  };
}
