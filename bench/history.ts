import { projections } from '../projections/registry.js';
import { comparedWithLog } from '../test/support/compared-with-log.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { rebuilt } from './harness/rebuilt.js';
import { figure } from './harness/report.js';
import { openLog } from './harness/sample-log.js';

/** Measures rebuilding every read model from the log of the large world. */
export const history: Question = {
  name: 'history',
  about: 'every read model from the first event of a mixed history',
  async answer(bench) {
    const { url, until } = await bench.world('large');
    const { events, eventsPerSecond, peakMB } = await rebuilt(bench, url, projections, until);
    const detail = `${figure(events)} events`;
    return [
      { what: 'rebuild of all', value: eventsPerSecond, unit: 'events/s', atLeast: 25_000, detail },
      { what: 'memory of it', value: peakMB, unit: 'MB', atMost: 400, detail: 'resident at most' },
      await verified(bench, url),
    ];
  },
};

/** Counts the read models that a rebuild would change. */
async function verified(bench: Bench, url: string): Promise<Finding> {
  const compared = await comparedWithLog(url, openLog(bench, url));
  const same = compared.filter(({ differences }) => differences.length === 0);
  const rows = same.reduce((sum, comparison) => sum + comparison.rows, 0);
  return {
    what: 'that differ from the live ones',
    value: compared.length - same.length,
    unit: 'read models',
    atMost: 0,
    detail: `${figure(rows)} rows of ${same.length} are the same`,
  };
}
