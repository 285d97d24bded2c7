import { signedIn, siteAdministrators as policy } from '../policy.js';
import type { Rows } from '../row.js';
import type { World } from '../world.js';

const GROUPS = '/admin/quota/groups';

async function freshRule({ make, unique }: World) {
  const quotarule = unique();
  await make('POST', '/admin/quota/rules', { name: quotarule, limit: 1, subjects: ['size:all'] });
  return { quotarule };
}

async function freshGroup({ make, unique }: World) {
  const quotagroup = unique();
  await make('POST', GROUPS, { name: quotagroup });
  return { quotagroup };
}

const ruleElsewhere = { what: 'rule of another group', names: () => ({ quotarule: 'large' }) };
const userElsewhere = { what: 'user of another group', names: () => ({ username: 'stranger' }) };

export const quotaRows: Rows = {
  adminListQuotaRules: { policy },
  adminCreateQuotaRule: { policy, body: (name) => ({ name, limit: 1, subjects: ['size:all'] }) },
  adminGetQuotaRule: { policy },
  adminEditQuotaRule: { policy, body: () => ({ limit: 2 }) },
  adminDEleteQuotaRule: { policy, fresh: freshRule },

  adminListQuotaGroups: { policy },
  adminCreateQuotaGroup: { policy, body: (name) => ({ name }) },
  adminGetQuotaGroup: { policy },
  adminDeleteQuotaGroup: { policy, fresh: freshGroup },
  adminAddRuleToQuotaGroup: {
    policy,
    fresh: freshGroup,
    absent: { quotarule: { anonymous: 401, stranger: 403, owner: 403, administrator: 422 } },
  },
  adminRemoveRuleFromQuotaGroup: {
    policy,
    async fresh(world) {
      const names = await freshGroup(world);
      await world.make('PUT', `${GROUPS}/${names.quotagroup}/rules/small`);
      return names;
    },
    others: [ruleElsewhere],
  },

  adminListUsersInQuotaGroup: { policy },
  adminAddUserToQuotaGroup: { policy, fresh: freshGroup },
  adminRemoveUserFromQuotaGroup: {
    policy,
    async fresh(world) {
      const names = await freshGroup(world);
      await world.make('PUT', `${GROUPS}/${names.quotagroup}/users/member`);
      return names;
    },
    others: [userElsewhere],
  },
  adminSetUserQuotaGroups: { policy, body: () => ({ groups: ['gold'] }) },

  adminGetUserQuota: { policy },
  adminExplainUserQuota: { policy, query: '?subject=size:all' },
  userGetQuota: { policy: signedIn },
  userCheckQuota: { policy: signedIn, query: '?subject=size:all' },
  userListQuotaAttachments: { policy: signedIn },
  userListQuotaPackages: { policy: signedIn },
  userListQuotaArtifacts: { policy: signedIn },
  adminListQuotaHistory: { policy },
  adminListQuotaRefusals: { policy },
  adminListQuotaThresholds: { policy },
  adminGetUserQuotaUsage: { policy },
  adminListQuotaConsumers: { policy },
  adminRehearseQuotas: { policy, body: () => ({}) },
};
