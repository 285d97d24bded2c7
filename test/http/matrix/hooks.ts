import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../src/database/queryable.js';
import { Deliveries } from '../../../src/webhooks/deliveries.js';
import type { Make } from './furnish.js';

export const HOOK = {
  type: 'forgejo',
  config: { url: 'https://example.org/', content_type: 'json' },
  active: true,
};

/** Where the hooks of each kind of place are listed, by what the ids of its operations begin with. */
export const hookLists = {
  repo: '/repos/acme/code/hooks',
  org: '/orgs/acme/hooks',
  user: '/user/hooks?sudo=member',
  admin: '/admin/hooks',
} as const;
export type HookFamilyName = keyof typeof hookLists;

/** A hook, and what was to be sent to it: as paths name them. */
export type DeliveredHook = { readonly id: number; readonly delivery: string };

export const addHook = (make: Make, db: Queryable, list: HookFamilyName): Promise<DeliveredHook> =>
  addHookTo(make, db, hookLists[list]);

/** The same in any place. */
export async function addHookTo(make: Make, db: Queryable, path: string): Promise<DeliveredHook> {
  const { id } = await make<{ id: number }>('POST', path, HOOK);
  const delivery = randomUUID();
  const planned = { hookId: id, key: 'test', event: 'push', eventType: 'push', payload: '{}' };
  await new Deliveries(db).send(planned, delivery);
  return { id, delivery };
}
