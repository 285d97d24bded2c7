import { deliveryRoutes } from './deliveries.js';
import { organizationHooks, repositoryHooks, systemHooks, userHooks } from './families.js';
import type { HookFamily } from './family.js';
import { hookRoutes } from './hooks.js';
import { testHook } from './test-hook.js';

const routesOf = <Params, Parent>(family: HookFamily<Params, Parent>) => [
  ...hookRoutes(family),
  ...deliveryRoutes(family),
];

export const webhookRoutes = [
  ...routesOf(repositoryHooks),
  testHook,
  ...routesOf(organizationHooks),
  ...routesOf(userHooks),
  ...routesOf(systemHooks),
];
