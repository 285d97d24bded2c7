import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceConfig } from '../../src/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { basicAuthorization } from '../../src/outgoing/basic-authorization.js';
import { prepare } from '../../src/start/prepare.js';
import { serviceEnvironment } from '../../src/start/service-environment.js';
import { CHILD_OPTIONS } from '../../src/start/supervised-child.js';
import { ADMIN_PASSWORD, BENCH_ENVIRONMENT, benchConfig } from './config.js';
import { profiling, startProgram, type Program } from './program.js';
import type { Bench } from './question.js';
import { scratchFolder } from './scratch.js';

/** A running installation, as the supervisor starts it. */
export interface Product {
  /** Prefix of the API's paths. */
  readonly address: string;
  readonly api: Program;
  readonly config: ServiceConfig;
  /** With a token of the user who asks: for every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The user's name and password, as in a URL. */
  readonly user: { readonly username: string; readonly password: string };
  /** Sends a request as the user and gives the JSON it is answered with; rejects where it is refused. */
  send(method: string, path: string, body?: object): Promise<unknown>;
}

export interface ProductOptions {
  /** Who asks; by default the site administrator. */
  readonly user?: { readonly username: string; readonly password: string };
  /** The dispatcher of webhooks as well. */
  readonly dispatcher?: boolean;
}

export const API = '/api/v1';

export async function startProduct(
  bench: Bench,
  databaseUrl: string,
  { user: asked, dispatcher = false }: ProductOptions = {},
): Promise<Product> {
  const dataDir = await scratchFolder(bench);
  const config = benchConfig(databaseUrl, dataDir);
  await prepare(config, createLogger({ name: 'bench', level: 'warn' }), () => undefined);
  await startProcess(bench, config, 'projections/main.js');
  if (dispatcher) await startProcess(bench, config, 'src/webhooks/main.js');
  const api = await startProcess(bench, config, 'src/main.js');
  const { address } = api;
  const user = asked ?? { username: config.administrator.username, password: ADMIN_PASSWORD };
  const headers = { authorization: `token ${await createToken(bench, address, user)}` };
  return { address, api, config, headers, user, send: (...request) => send(address, headers, ...request) };
}

async function startProcess(bench: Bench, config: ServiceConfig, entry: string): Promise<Program> {
  const log = await open(join(config.dataDir, 'log'), 'a');
  const program = await startProgram(new URL(`../../${entry}`, import.meta.url), {
    environment: { ...serviceEnvironment(process.env, config), ...BENCH_ENVIRONMENT },
    execArgv: [...CHILD_OPTIONS, ...profiling(bench)],
    output: log.fd,
  });
  bench.onEnd(async () => {
    await program.stop();
    await log.close();
  });
  return program;
}

/** Creates a token that is deleted after the question, because some databases live longer. */
async function createToken(bench: Bench, address: string, user: Product['user']): Promise<string> {
  const headers = { authorization: basicAuthorization(user) };
  const path = `${API}/users/${user.username}/tokens`;
  const name = `bench-${randomUUID()}`;
  const token = await send(address, headers, 'POST', path, { name, scopes: ['all'] });
  bench.onEnd(() => send(address, headers, 'DELETE', `${path}/${name}`));
  return (token as { sha1: string }).sha1;
}

async function send(
  address: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
