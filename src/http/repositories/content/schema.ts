import { z } from 'zod';
import { nothing, optional, shownTime } from '../../schema.js';

/** `ref` is a branch, a tag or a commit; empty text stands for the default branch. */
export const RefQuery = z.object({ ref: z.string().default('') });

/** `rev` is what `lockedRevisionAt` takes. */
export const RevQuery = z.object({ rev: optional(z.string()) });

/** Bytes of a media type, or of a range of media types. */
export const bytesOf = (mediaType: string) =>
  z.unknown().meta({ type: 'string', format: 'binary', contentMediaType: mediaType });

/** What a download of such bytes answers, according to the conditions and the range of the request. */
export const downloadOf = (bytes: z.ZodType) => ({ 200: bytes, 206: bytes, 304: nothing, 416: nothing });

export const PayloadUser = z
  .object({ name: z.string(), email: z.string(), username: z.string() })
  .meta({ id: 'PayloadUser' });

export const Verification = z
  .object({
    verified: z.boolean(),
    reason: z.string(),
    signature: z.string(),
    payload: z.string(),
    signer: PayloadUser.nullable(),
  })
  .meta({ id: 'PayloadCommitVerification' });

export const CommitMeta = z
  .object({ url: z.string(), sha: z.string(), created: shownTime })
  .meta({ id: 'CommitMeta' });

export const CommitUser = z
  .object({ name: z.string(), email: z.string(), date: z.string() })
  .meta({ id: 'CommitUser' });

/** The maximum number of characters in the message of a commit or tag. */
export const MAX_MESSAGE = 65_536;
