/** A rebuild in a process of its own, over and over; ends with whoever started it. */
import { Database } from '../../../src/database/database.js';
import { ProgressLines } from '../../../projections/rebuild/progress.js';
import { alone } from '../../../projections/rebuild/rebuild-lock.js';
import { rebuild } from '../../../projections/rebuild/rebuild.js';
import { people, TEST_MIGRATIONS } from './people.js';
import { silent } from './silent.js';
import { TableLog } from './table-log.js';

process.on('disconnect', () => process.exit(0));
const connection = { url: process.argv[2] ?? '', applicationName: 'rebuild-process' };
const database = new Database(connection);
const log = new TableLog(database);
process.send?.('ready');
for (;;) {
  await alone(database, () =>
    rebuild(
      {
        database,
        connection,
        source: log,
        log: silent,
        signal: new AbortController().signal,
      },
      {
        projections: [people],
        verify: false,
        progress: new ProgressLines(() => undefined),
        migrations: TEST_MIGRATIONS,
        onCompared: () => undefined,
        onFilled: () => undefined,
        end: () => log.end(),
      },
    ),
  );
}
