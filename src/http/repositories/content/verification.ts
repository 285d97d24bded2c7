import type { z } from 'zod';
import type { Signed } from '../../../git/port/objects.js';
import type { Verification } from './schema.js';

/** Nobody's keys are known here, so that no signature can be verified: it is shown as it is. */
export const presentVerification = (signed: Signed | undefined): z.output<typeof Verification> => ({
  verified: false,
  reason: signed ? 'gpg.error.no_gpg_keys_found' : 'gpg.error.not_signed_commit',
  signature: signed?.signature ?? '',
  payload: signed?.payload ?? '',
  signer: null,
});
