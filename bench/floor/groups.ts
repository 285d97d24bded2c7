import { run } from '../harness/postgres.js';
import type { Bench } from '../harness/question.js';
import { startFloor, type FloorRoute } from './floor.js';

const TABLES = `
  create table floor_groups (id int8 primary key, name text not null unique, rule text, "limit" int8, subject text);
  create table floor_members (group_name text, account text, primary key (group_name, account));
  insert into floor_groups select n, 'group-' || n, 'rule-' || n, 1000000, 'size:all' from generate_series(0, 99) n`;

const ROUTES: readonly FloorRoute[] = [
  {
    method: 'GET',
    name: 'groups',
    text: 'select id, name, rule, "limit", subject from floor_groups where name = $1',
    answers: 'row',
  },
  {
    method: 'PUT',
    name: 'members',
    text: 'insert into floor_members values ($1, $2) on conflict do nothing',
    answers: 'nothing',
  },
  {
    method: 'DELETE',
    name: 'members',
    text: 'delete from floor_members where group_name = $1 and account = $2',
    answers: 'nothing',
  },
];

/** Groups and their members in tables of the plainest form, in a database of their own. */
export async function startGroupsFloor(bench: Bench): Promise<string> {
  const url = await bench.database();
  await run(url, TABLES);
  return startFloor(bench, url, ROUTES);
}
