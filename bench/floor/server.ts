/**
 * The floor of the HTTP measurements: raw Koa and one statement of one row a request, named so that it is prepared
 * once, through a pool of 16 connections. `FLOOR_DATABASE_URL` names a database with the tables of `tables.ts`.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';
import { runChild } from '../../src/start/child.js';

const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE_URL, max: 16 });
const app = new Koa();

app.use(async (context) => {
  const [, table, group, account] = context.path.split('/');
  if (table === 'groups') {
    const { rows } = await pool.query<object>({
      name: 'read',
      text: 'select id, name, rule, "limit", subject from floor_groups where name = $1',
      values: [group],
    });
    context.body = rows[0];
  } else {
    await pool.query({
      ...(context.method === 'PUT'
        ? { name: 'add', text: 'insert into floor_members values ($1, $2) on conflict do nothing' }
        : { name: 'remove', text: 'delete from floor_members where group_name = $1 and account = $2' }),
      values: [group, account],
    });
    context.status = 204;
  }
});

const server = app.listen(0, '127.0.0.1');
runChild({
  async start() {
    if (!server.listening) await once(server, 'listening');
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  async stop() {
    server.close();
    server.closeAllConnections();
    await pool.end();
  },
});
