import { startProgram } from '../harness/program.js';
import type { Bench } from '../harness/question.js';

/** A statement served under a path of its name; the following path segments are its parameters. */
export interface FloorRoute {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST';
  readonly name: string;
  readonly text: string;
  /** The body as JSON; `nothing` is 204. */
  readonly answers: 'rows' | 'row' | 'nothing';
}

/** Starts the raw Koa server on a database, and gives its address. */
export async function startFloor(
  bench: Bench,
  databaseUrl: string,
  routes: readonly FloorRoute[],
): Promise<string> {
  const server = await startProgram(new URL('./server.js', import.meta.url), {
    environment: { FLOOR_DATABASE_URL: databaseUrl, FLOOR_ROUTES: JSON.stringify(routes) },
  });
  bench.onEnd(() => server.stop());
  return server.address;
}
