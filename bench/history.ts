import { projections } from '../projections/registry.js';
import type { Question } from './harness/question.js';
import { rebuilt } from './harness/rebuilt.js';
import { figure } from './harness/report.js';

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
    ];
  },
};
