import { open, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServiceConfig, type ServiceConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { prepare } from '../../src/start/prepare.js';
import { serviceEnvironment } from '../../src/start/service-environment.js';
import { startProgram, type Program } from './program.js';
import type { Bench } from './question.js';

/** A running installation, api and projector, as the supervisor starts them. */
export interface Product {
  /** Prefix of the API's paths. */
  readonly address: string;
  readonly api: Program;
  /** Of the site administrator: for every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a request as the administrator and gives the JSON it is answered with; rejects where it is refused. */
  send(method: string, path: string, body?: object): Promise<unknown>;
}

const PASSWORD = 'the administrator of a bench';
const API = '/api/v1';

export async function startProduct(bench: Bench, databaseUrl: string): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyforge-bench-'));
  bench.onEnd(() => rm(dataDir, { recursive: true, force: true }));
  const config = readServiceConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    VAULT_KEY: Buffer.alloc(32, 'bench').toString('base64'),
    ADMIN_PASSWORD: PASSWORD,
  });
  await prepare(config, createLogger({ name: 'bench', level: 'warn' }), () => undefined);
  await startProcess(bench, config, 'projections/main.js');
  const api = await startProcess(bench, config, 'src/main.js');
  const { address } = api;
  const headers = { authorization: `token ${await createToken(address, config)}` };
  return { address, api, headers, send: (...request) => send(address, headers, ...request) };
}

async function startProcess(bench: Bench, config: ServiceConfig, entry: string): Promise<Program> {
  const log = await open(join(config.dataDir, 'log'), 'a');
  const program = await startProgram(new URL(`../../${entry}`, import.meta.url), {
    environment: serviceEnvironment(process.env, config),
    execArgv: bench.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${bench.profile}`],
    output: log.fd,
  });
  bench.onEnd(async () => {
    await program.stop();
    await log.close();
  });
  return program;
}

async function createToken(address: string, { administrator }: ServiceConfig): Promise<string> {
  const { username } = administrator;
  const authorization = `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}`;
  const path = `${API}/users/${username}/tokens`;
  const token = await send(address, { authorization }, 'POST', path, { name: 'bench', scopes: ['all'] });
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
