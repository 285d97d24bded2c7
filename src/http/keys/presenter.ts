import type { z } from 'zod';
import type { PublicKeyRow } from '../../queries/accounts/public-keys.js';
import { presentUsersWithIds, seesPrivate } from '../accounts/presenter.js';
import { timeText } from '../answers/time-text.js';
import type { Viewing } from '../actions.js';
import type { PublicKey } from './schema.js';

/** Presents public keys. Their owners are included if the caller is the owner or a site administrator. */
export async function presentKeys(
  { services, caller }: Viewing,
  rows: readonly PublicKeyRow[],
): Promise<z.output<typeof PublicKey>[]> {
  const told = rows.map((row) => row.account_id).filter((id) => seesPrivate(caller, id));
  const users = await presentUsersWithIds(told, caller, services);
  return rows.map((row) => {
    const user = users.get(row.account_id);
    const addedAt = timeText(row.created_at);
    return {
      id: row.id,
      key: row.key ?? '',
      url: `${services.config.baseUrl}/api/v1/user/keys/${row.id}`,
      ...(row.title && { title: row.title }),
      fingerprint: row.fingerprint,
      created_at: addedAt,
      updated_at: addedAt, // a key never changes
      ...(user && { user, key_type: 'user' }),
    };
  });
}
