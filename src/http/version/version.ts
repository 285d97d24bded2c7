import { z } from 'zod';
import { anyone } from '../access.js';
import { route } from '../route.js';

/**
 * The release of Forgejo whose API is served, as that release writes it. Clients choose by it what they ask for, and some
 * refuse to talk to anything below 1.11.
 */
const FORGEJO = '9.0.3+gitea-1.22.0';

/** `version` is for clients; `tallyforge` is the release that runs here. */
export const getVersion = route({
  id: 'getVersion',
  method: 'GET',
  path: '/version',
  access: anyone,
  scope: 'none',
  answers: { 200: z.object({ version: z.string(), tallyforge: z.string() }).meta({ id: 'ServerVersion' }) },
  handle: ({ services }) => ({ version: FORGEJO, tallyforge: services.version }),
});
