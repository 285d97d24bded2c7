import { readFileSync, writeFileSync } from 'node:fs';
import { allRoutes } from '../support/all-routes.js';
import { eventsPage } from './events-page.js';
import { operationsPage } from './operations-page.js';
import { withQuotedFiles } from './quoted-files.js';

writeFileSync('docs/events.md', eventsPage(process.cwd()));
writeFileSync('docs/api-operations.md', operationsPage(allRoutes));

const contributing = 'docs/contributing.md';
writeFileSync(contributing, withQuotedFiles(contributing, readFileSync(contributing, 'utf8')));
