import { DEFAULT_DAYS } from '../../rehearsal/proposal-shape.js';
import { rehearse } from '../../rehearsal/rehearse.js';
import { siteAdministrator } from '../access.js';
import { momentOf } from '../moment.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { QuotaRehearsal, RehearsalBody } from './insights-schema.js';

const DAY_MS = 86_400_000;
/** How many events a request reads at most; `npm run rehearse` reads more. */
const MAX_EVENTS = 500_000;

export const quotaRehearsalRoutes = [
  route({
    id: 'adminRehearseQuotas',
    method: 'POST',
    changesNothing: true,
    path: '/admin/quota/rehearsals',
    access: siteAdministrator,
    scope: 'admin',
    body: RehearsalBody,
    answers: { 200: QuotaRehearsal, 403: problem, 422: problem },
    async handle({ body: { days = DEFAULT_DAYS, ...proposal }, db, services }) {
      const { log } = services;
      const position = await momentOf(String(await log.lastPosition()), services);
      const since = new Date(Date.now() - days * DAY_MS);
      const options = { position, since, maxEvents: MAX_EVENTS };
      return { days, ...(await rehearse({ db, log }, proposal, options)) };
    },
  }),
];
