import { readConfig } from '../../src/config.js';
import { routesFor } from '../../src/http/routes.js';

/** Every route there is, those of quotas too. */
export const allRoutes = routesFor(readConfig({}));
