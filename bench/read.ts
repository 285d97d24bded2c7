import { startGroupsFloor } from './floor/groups.js';
import { startLoad, type Request } from './harness/load.js';
import { createGroups, GROUP_PATH } from './harness/members.js';
import { startProduct } from './harness/product.js';
import type { Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare } from './harness/rounds.js';

const CLIENTS = 32;

/** Measures reading a quota group by name with a token, against raw Koa and a query of one row. */
export const read: Question = {
  name: 'read',
  about: 'GET of a quota group with a token, 32 clients, against raw Koa and a one-row query',
  async answer(bench) {
    const floor = await startGroupsFloor(bench);
    const product = await startProduct(bench, await bench.database());
    await createGroups(product);
    const load = startLoad(bench);
    const length = { seconds: bench.quick ? 1 : 2 };
    const all = (path: string) => Array.from({ length: CLIENTS }, (): Request[] => [{ method: 'GET', path }]);
    const { ratio, ...figures } = await compare(
      bench.quick ? 3 : 7,
      () => load({ url: floor, clients: all('/groups/group-1'), length }),
      () =>
        load({
          url: product.address,
          headers: product.headers,
          clients: all(`${GROUP_PATH}/group-1`),
          length,
        }),
    );
    const detail = `${figure(figures.subject)} requests/s, raw Koa ${figure(figures.floor)}`;
    return [{ what: `${CLIENTS} clients`, value: ratio, unit: '×', atLeast: 0.9, detail }];
  },
};
