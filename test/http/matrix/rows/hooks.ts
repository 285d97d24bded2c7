import { addHook, HOOK, type HookFamilyName } from '../hooks.js';
import { ofMember, organizationOwners, signedIn, siteAdministrators } from '../policy.js';
import type { Row, Rows } from '../row.js';
import type { World } from '../world.js';
import { here } from './organizations.js';
import { asAdministrator, repository } from './repositories.js';

/** The operations on the hooks of one kind of place. */
function family(name: HookFamilyName, rowOf: (row: Partial<Row>) => Row, list: Partial<Row>): Rows {
  const names = ({ hooks }: World) => hooks[name];
  const other = ({ elsewhere: { hooks } }: World) => (name === 'org' ? hooks.rivals : hooks.other);
  const elsewhere = {
    id: (world: World) => other(world).id,
    delivery: (world: World) => other(world).delivery,
  };
  const one = (row: Partial<Row> = {}) => rowOf({ names, elsewhere, ...row });
  const fresh = ({ api, make }: World) => addHook(make, api.connections.db, name);
  /** What shows deliveries or decides where they go: those of accounts are about private repositories, too. */
  const told = (row: Row): Row =>
    name === 'org' || name === 'user' ? { ...row, policy: { ...row.policy, ofPrivate: true } } : row;
  return {
    [`${name}ListHooks`]: rowOf(list),
    [`${name}CreateHook`]: told(rowOf({ ...list, body: () => HOOK })),
    [`${name}GetHook`]: one(),
    [`${name}EditHook`]: told(one({ fresh, body: () => ({ active: false }) })),
    [`${name}DeleteHook`]: one({ fresh }),
    [`${name}ListHookDeliveries`]: told(one()),
    [`${name}GetHookDelivery`]: told(one()),
    [`${name}RedeliverHookDelivery`]: told(one()),
    [`${name}RedeliverHookDeliveries`]: told(one({ body: () => ({}) })),
    ...(name === 'repo' && { repoTestHook: one() }),
  };
}

export const hookRows: Rows = {
  ...family('repo', (row) => repository({ policy: organizationOwners, ...row }), {
    others: [asAdministrator('success')],
  }),
  ...family('org', (row) => here({ policy: organizationOwners, ...row }), {}),
  ...family('user', (row) => ({ policy: ofMember, ...row }), { policy: signedIn }),
  ...family('admin', (row) => ({ policy: siteAdministrators, ...row }), {}),
};
