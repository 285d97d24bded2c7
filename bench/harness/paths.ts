import { startFloor, type FloorRoute } from '../floor/floor.js';
import { PASSWORD } from '../world/fill.js';
import type { World } from '../world/worlds.js';
import { alike, startLoad } from './load.js';
import { API, startProduct, type Product } from './product.js';
import type { Bench, Finding } from './question.js';
import { figure } from './report.js';
import { compare } from './rounds.js';

/** A GET of the product, and the statement that fetches the same rows. */
export interface ReadPath {
  readonly what: string;
  /** Behind `/api/v1`. */
  readonly path: (world: World) => string;
  /** Asked of both worlds instead, where the answers to `path` differ in length. */
  readonly alike?: (world: World) => string;
  readonly text: string;
  readonly answers: FloorRoute['answers'];
  readonly values: (world: World) => readonly (string | number)[];
}

export interface ReadTargets {
  /** Requests per second, of the floor's. */
  readonly atLeast: number;
  /** How many times as long it may take in the large world as in the small one. */
  readonly timesSmall: number;
}

const CLIENTS = 8;

/** The reader's installation on a world. */
export const productOf = (bench: Bench, { url, plan }: World): Promise<Product> =>
  startProduct(bench, url, { user: { username: plan.reader.name, password: PASSWORD } });

/** Requests each path as the reader of the large world, from raw Koa, and as the reader of the small one. */
export async function readPaths(
  bench: Bench,
  paths: readonly ReadPath[],
  { atLeast, timesSmall }: ReadTargets,
): Promise<Finding[]> {
  const [large, small] = [await bench.world('large'), await bench.world('small')];
  const routes = paths.map(({ text, answers }, index): FloorRoute => ({
    method: 'GET',
    name: String(index),
    text,
    answers,
  }));
  const floor = await startFloor(bench, large.readUrl, routes);
  const products = { large: await productOf(bench, large), small: await productOf(bench, small) };
  const load = startLoad(bench);
  const length = { seconds: bench.quick ? 1 : 2 };
  const ask = ({ address: url, headers }: Product, path: string) =>
    load({ url, headers, clients: alike(CLIENTS, { method: 'GET', path: `${API}${path}` }), length });
  const rounds = bench.quick ? 2 : 5;

  const findings: Finding[] = [];
  for (const [index, read] of paths.entries()) {
    const floorPath = ['', index, ...read.values(large)].join('/');
    const floorRate = () =>
      load({ url: floor, clients: alike(CLIENTS, { method: 'GET', path: floorPath }), length });
    const against = await compare(rounds, floorRate, () => ask(products.large, read.path(large)));
    const { alike: comparable = read.path } = read;
    const growth = await compare(
      rounds,
      () => ask(products.large, comparable(large)),
      () => ask(products.small, comparable(small)),
    );
    findings.push(
      {
        what: read.what,
        value: against.ratio,
        unit: '×',
        atLeast,
        detail: `${figure(against.subject)} requests/s, raw Koa ${figure(against.floor)}`,
      },
      {
        what: `${read.what}, time`,
        value: growth.ratio,
        unit: '×',
        atMost: timesSmall,
        detail: `${figure(growth.floor)} requests/s, small world ${figure(growth.subject)}`,
      },
    );
  }
  return findings;
}
