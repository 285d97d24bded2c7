/** A projector in a process of its own; ends with whoever started it. */
import { Database } from '../../../src/database/database.js';
import { Projector } from '../../../projections/engine/projector.js';
import { people } from './people.js';
import { silent } from './silent.js';
import { TableLog } from './table-log.js';

process.on('disconnect', () => process.exit(0));
const url = process.argv[2] ?? '';
const database = new Database({ url, applicationName: 'log' });
const options = { url, applicationName: 'projector-process' };
await new Projector({
  database: options,
  source: new TableLog(database),
  projections: [people],
  log: silent,
  onFlushed: ({ checkpoint }) => process.send?.(String(checkpoint.position)),
}).run(new AbortController().signal);
