/**
 * The floor of the HTTP measurements: raw Koa and one statement a request, named so that it is prepared once, through a
 * pool of 16 connections. `FLOOR_DATABASE_URL` names the database, `FLOOR_ROUTES` holds `FloorRoute[]` as JSON.
 */
import Koa from 'koa';
import pg from 'pg';
import type { FloorRoute } from './floor.js';
import { serve } from './serve.js';

const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE_URL, max: 16 });
const routes = new Map(
  (JSON.parse(process.env.FLOOR_ROUTES ?? '[]') as FloorRoute[]).map((route) => [
    `${route.method} ${route.name}`,
    route,
  ]),
);
const app = new Koa();

app.use(async (context) => {
  const [, name = '', ...values] = context.path.split('/');
  const route = routes.get(`${context.method} ${name}`);
  if (!route) return;
  const { rows } = await pool.query<object>({ name: `${context.method} ${name}`, text: route.text, values });
  if (route.answers === 'rows') context.body = rows;
  else if (route.answers === 'row') context.body = rows[0];
  else context.status = 204;
});

serve(app.callback(), () => pool.end());
