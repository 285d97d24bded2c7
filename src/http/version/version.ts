import { z } from 'zod';
import { anyone } from '../access.js';
import { route } from '../route.js';

export const getVersion = route({
  id: 'getVersion',
  method: 'GET',
  path: '/version',
  access: anyone,
  scope: 'none',
  answers: { 200: z.object({ version: z.string() }).meta({ id: 'ServerVersion' }) },
  handle: ({ services }) => ({ version: services.version }),
});
