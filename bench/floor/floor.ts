import { startProgram } from '../harness/program.js';
import { run } from '../harness/postgres.js';
import type { Bench } from '../harness/question.js';

const TABLES = `
  create table floor_groups (id int8 primary key, name text not null unique, rule text, "limit" int8, subject text);
  create table floor_members (group_name text, account text, primary key (group_name, account));
  insert into floor_groups select n, 'group-' || n, 'rule-' || n, 1000000, 'size:all' from generate_series(0, 99) n`;

/** Starts the raw Koa server on a database, and gives its address. */
export async function startFloor(bench: Bench, databaseUrl: string): Promise<string> {
  await run(databaseUrl, TABLES);
  const server = await startProgram(new URL('./server.js', import.meta.url), {
    environment: { FLOOR_DATABASE_URL: databaseUrl },
  });
  bench.onEnd(() => server.stop());
  return server.address;
}
