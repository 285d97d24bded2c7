import { startGroupsFloor } from './floor/groups.js';
import { startLoad } from './harness/load.js';
import { createGroups, createUsers, emptyGroups, inAndOut, membershipPath } from './harness/members.js';
import { startProduct } from './harness/product.js';
import type { Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare } from './harness/rounds.js';

const WANTED = [
  { clients: 1, atLeast: 0.2 },
  { clients: 8, atLeast: 0.3 },
  { clients: 32, atLeast: 0.5 },
  { clients: 128, atLeast: 0.8 },
];

/**
 * Measures adding users to quota groups and removing them, durable and visible on return, against a row written by raw
 * Koa.
 */
export const command: Question = {
  name: 'command',
  about: 'PUT of a user into a quota group and DELETE, against raw Koa and a one-row transaction',
  async answer(bench) {
    const floor = await startGroupsFloor(bench);
    const product = await startProduct(bench, await bench.database());
    await createGroups(product);
    await createUsers(product, Math.max(...WANTED.map(({ clients }) => clients)));
    const load = startLoad(bench);
    const length = { seconds: bench.quick ? 1 : 2 };
    const findings: Finding[] = [];
    for (const { clients, atLeast } of WANTED) {
      const users = Array.from({ length: clients }, (_, user) => user);
      const rows = users.map((user) => inAndOut((group, name) => `/members/${group}/${name}`, user));
      const memberships = users.map((user) => inAndOut(membershipPath, user));
      const { ratio, ...figures } = await compare(
        bench.quick ? 2 : 7,
        () => load({ url: floor, clients: rows, length }),
        async () => {
          await emptyGroups(product, clients);
          return load({ url: product.address, headers: product.headers, clients: memberships, length });
        },
      );
      const detail = `${figure(figures.subject)} commands/s, raw Koa ${figure(figures.floor)}`;
      findings.push({ what: `${clients} clients`, value: ratio, unit: '×', atLeast, detail });
    }
    return findings;
  },
};
