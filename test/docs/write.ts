import { writeFileSync } from 'node:fs';
import { allRoutes } from '../support/all-routes.js';
import { eventsPage } from './events-page.js';
import { operationsPage } from './operations-page.js';

writeFileSync('docs/events.md', eventsPage(process.cwd()));
writeFileSync('docs/api-operations.md', operationsPage(allRoutes));
