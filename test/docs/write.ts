import { writeFileSync } from 'node:fs';
import { eventsPage } from './events-page.js';

writeFileSync('docs/events.md', eventsPage(process.cwd()));
