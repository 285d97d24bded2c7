import { z } from 'zod';
import { User } from '../accounts/schema.js';
import { PageQuery } from '../answers/paging.js';
import { atMost, optional, pathId, queryText, requiredText, shownTime } from '../schema.js';

/** CreateKeyOption. The parser checks the key; users' keys are never read-only. */
export const CreateKeyBody = z
  .object({
    title: requiredText.pipe(atMost(255)),
    key: requiredText,
    read_only: optional(z.boolean()),
  })
  .meta({ id: 'CreateKeyOption' });

export const KeyParams = z.object({ id: pathId });
export const UserKeyParams = KeyParams.extend({ username: z.string() });

export const KeysQuery = PageQuery.extend({ fingerprint: queryText });

/** `user` and `key_type` are included for the owner and site administrators. */
export const PublicKey = z
  .object({
    id: z.int(),
    key: z.string(),
    url: z.string(),
    title: z.string().optional(),
    fingerprint: z.string(),
    created_at: shownTime,
    updated_at: shownTime,
    user: User.optional(),
    key_type: z.string().optional(),
  })
  .meta({ id: 'PublicKey' });
