import { z } from 'zod';
import { anyone } from '../access.js';
import { route } from '../route.js';

/**
 * The Forgejo release whose API is served, in that release's own format. Clients decide by it which features to use, and
 * some refuse versions below 1.11.
 */
const FORGEJO = '9.0.3+gitea-1.22.0';

/** Answers with `version` for clients, and with the release of this server in `tallyforge`. */
export const getVersion = route({
  id: 'getVersion',
  method: 'GET',
  path: '/version',
  access: anyone,
  scope: 'none',
  answers: { 200: z.object({ version: z.string(), tallyforge: z.string() }).meta({ id: 'ServerVersion' }) },
  handle: ({ services }) => ({ version: FORGEJO, tallyforge: services.version }),
});
