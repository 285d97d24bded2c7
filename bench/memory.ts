import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad, type Request } from './harness/load.js';
import {
  createGroups,
  createUsers,
  emptyGroups,
  GROUP_PATH,
  inAndOut,
  membershipPath,
} from './harness/members.js';
import { startProduct } from './harness/product.js';
import type { Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { residentMegabytes } from './harness/resident.js';
import { median } from './harness/rounds.js';

const CLIENTS = 32;
const AT_REST_MB = 150;
const GROWTH = 1.1;

/** Measures the api's resident memory, at rest and under load; every eleventh request is a command. */
export const memory: Question = {
  name: 'memory',
  about: 'resident memory of the api, at rest and after a million requests',
  async answer(bench) {
    const product = await startProduct(bench, await bench.database());
    const rest = await settled(product.api.process.pid);
    await createGroups(product);
    await createUsers(product, CLIENTS);
    const load = startLoad(bench);
    const clients = Array.from({ length: CLIENTS }, (_, user) => readingMostly(user));
    const send = async (requests: number) => {
      await emptyGroups(product, CLIENTS);
      await load({ url: product.address, headers: product.headers, clients, length: { requests } });
      return settled(product.api.process.pid);
    };
    // Enough requests to compile all code and fill the caches.
    const warmUp = bench.quick ? 25_000 : 200_000;
    const requests = bench.quick ? 50_000 : 1_000_000;
    const warm = await send(warmUp);
    const end = await send(requests - warmUp);
    const detail = `${figure(warm)} MB when warm, ${figure(end)} MB after ${figure(requests)} requests`;
    return [
      { what: 'at rest', value: rest, unit: 'MB', atMost: AT_REST_MB, detail: 'as soon as it is ready' },
      { what: 'growth', value: end / warm, unit: '×', atMost: GROWTH, detail },
    ];
  },
};

function readingMostly(user: number): Request[] {
  const reads = Array.from({ length: 10 }, (_, group): Request => ({
    method: 'GET',
    path: `${GROUP_PATH}/group-${group % 8}`,
  }));
  return inAndOut(membershipPath, user).flatMap((command) => [command, ...reads]);
}

/** Returns the resident megabytes after a moment without requests: the median of several samples. */
async function settled(pid: number | undefined): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 5; look++) {
    await sleep(500);
    looks.push(await residentMegabytes(pid));
  }
  return median(looks);
}
