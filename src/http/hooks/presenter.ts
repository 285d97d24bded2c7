import type { z } from 'zod';
import type { HookRow } from '../../queries/hooks/hooks.js';
import { timeText } from '../answers/time-text.js';
import type { Services } from '../services.js';
import type { Hook } from './schema.js';

/** Presents hooks with their authorization headers, reading the vault once. */
export async function presentHooks(
  rows: readonly HookRow[],
  { vault }: Pick<Services, 'vault'>,
): Promise<z.output<typeof Hook>[]> {
  const secrets = await vault.hookSecrets.findEach(rows.map(({ id }) => id));
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    url: row.url,
    content_type: row.content_type,
    config: { url: row.url, content_type: row.content_type },
    events: [...row.events],
    branch_filter: row.branch_filter,
    authorization_header: secrets.get(row.authorization_id ?? '') ?? '',
    active: row.is_active,
    metadata: null,
    created_at: timeText(row.created_at),
    updated_at: timeText(row.updated_at),
  }));
}
