import { addHook, HOOK, type HookFamilyName } from '../hooks.js';
import { ofMember, organizationOwners, signedIn, siteAdministrators } from '../policy.js';
import type { Row, Rows } from '../row.js';
import type { World } from '../world.js';
import { here } from './organizations.js';
import { asAdministrator, repository } from './repositories.js';

/** The operations on the hooks of one kind of place. */
function family(name: HookFamilyName, rowOf: (row: Partial<Row>) => Row, list: Partial<Row>): Rows {
  const names = ({ hooks }: World) => hooks[name];
  const fresh = ({ api, make }: World) => addHook(make, api.connections.db, name);
  return {
    [`${name}ListHooks`]: rowOf(list),
    [`${name}CreateHook`]: rowOf({ ...list, body: () => HOOK }),
    [`${name}GetHook`]: rowOf({ names }),
    [`${name}EditHook`]: rowOf({ names, fresh, body: () => ({ active: false }) }),
    [`${name}DeleteHook`]: rowOf({ names, fresh }),
    [`${name}ListHookDeliveries`]: rowOf({ names }),
    [`${name}GetHookDelivery`]: rowOf({ names }),
    [`${name}RedeliverHookDelivery`]: rowOf({ names }),
    [`${name}RedeliverHookDeliveries`]: rowOf({ names, body: () => ({}) }),
    ...(name === 'repo' && { repoTestHook: rowOf({ names }) }),
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
