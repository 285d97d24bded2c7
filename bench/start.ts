import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { median } from './harness/rounds.js';
import { scratchFolder } from './harness/scratch.js';

const WITHIN_MS = 3_000;
const ENTRY = fileURLToPath(new URL('../../setup/start.mjs', import.meta.url));

/** Measures `npm start` on data that were served before, from the order to the line that says where it listens. */
export const start: Question = {
  name: 'start',
  about: 'npm start with an embedded PostgreSQL, from the second time on',
  async answer(bench) {
    const dataDir = await scratchFolder(bench);
    await chmod(dataDir, 0o711); // the user of PostgreSQL must pass through
    const first = await startedAndStopped(dataDir);
    const times: number[] = [];
    for (let round = 0; round < (bench.quick ? 3 : 9); round++) times.push(await startedAndStopped(dataDir));
    const detail = `${figure(first)} ms the first time`;
    return [{ what: 'a second start', value: median(times), unit: 'ms', atMost: WITHIN_MS, detail }];
  },
};

/** Returns how many milliseconds the start took. */
async function startedAndStopped(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const program = spawn(process.execPath, [ENTRY], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  let said = '';
  const listens = new Promise<number>((resolve, reject) => {
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Tallyforge listens on ')) resolve(performance.now() - startedAt);
    });
    program.once('exit', (code) => {
      reject(new Error(`npm start ended with ${code}: ${said}`));
    });
  });
  const taken = await listens;
  program.kill('SIGTERM');
  await ended;
  return taken;
}
