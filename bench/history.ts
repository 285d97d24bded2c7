import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { projections } from '../projections/registry.js';
import { serviceEnvironment } from '../src/start/service-environment.js';
import { benchConfig } from './harness/config.js';
import type { Finding, Question } from './harness/question.js';
import { rebuilt } from './harness/rebuilt.js';
import { figure } from './harness/report.js';

const REBUILD = fileURLToPath(new URL('../projections/rebuild/main.js', import.meta.url));

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
      await verified(url),
    ];
  },
};

/** Counts the read models that a rebuild would change, with `npm run rebuild -- --all --verify`. */
async function verified(url: string): Promise<Finding> {
  const program = spawn(process.execPath, [REBUILD, '--all', '--verify'], {
    env: { PATH: process.env.PATH, ...serviceEnvironment({}, benchConfig(url, '.')) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [told, [code]] = await Promise.all([
    text(program.stdout),
    once(program, 'exit') as Promise<[number]>,
  ]);
  if (code > 1) throw new Error(`the rebuild ended with ${code}`);
  const same = told.match(/^\S+: \d+ rows, the same as the live ones$/gm) ?? [];
  const rows = same.reduce((sum, line) => sum + Number(/\d+(?= rows)/.exec(line)), 0);
  return {
    what: 'that differ from the live ones',
    value: projections.length - same.length,
    unit: 'read models',
    atMost: 0,
    detail: `${figure(rows)} rows of ${same.length} are the same`,
  };
}
