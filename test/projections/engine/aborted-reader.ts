/** A thread that aborts reading ahead while there is no room for more, and ends once it gets another turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_BATCH, prefetched } from '../../../projections/engine/prefetch.js';
import { TestLog } from './test-log.js';

const log = new TestLog(100);
log.append(...Array.from({ length: 3 * MAX_BATCH }, () => ({ type: 'Counted', data: {} })));
const stop = new AbortController();
const batches = prefetched(log, { position: -1n, recordedAt: new Date(0) }, stop.signal);
await batches.next();
for (let turn = 0; turn < 300; turn++) await nextTurn();
stop.abort();
await nextTurn();
await batches.return(undefined);
