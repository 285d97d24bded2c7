import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { readCheckpoints } from '../../projections/engine/checkpoint.js';
import { schemaOf, type Projection } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { connect, type Connections } from '../../src/connections.js';
import { IdBlock } from '../../src/domain/ids/id-block.js';
import { MIGRATIONS, readMigrations } from '../../src/migrate/migration-files.js';
import { embeddedUrl } from '../../src/postgres/connection.js';
import { leasePostgres, type PostgresLease } from '../../src/postgres/lease.js';
import { createLogger } from '../../src/logging/logger.js';
import { prepare } from '../../src/start/prepare.js';
import { v4 } from 'uuid';
import { benchConfig } from '../harness/config.js';
import { run } from '../harness/postgres.js';
import { startProgram } from '../harness/program.js';
import { serviceEnvironment } from '../../src/start/service-environment.js';
import { fill } from './fill.js';
import { LABELS, LISTED, Plan, type FirstIds } from './plan.js';
import { sizeOf, type WorldName, type WorldSize } from './size.js';

/** Raise it with every change of the events of a world. */
const TALE = 2;

/** A database with the log and the read models of an installation, for reading. */
export interface World {
  readonly url: string;
  /** As `url`, with the read models where SQL looks for tables. */
  readonly readUrl: string;
  readonly plan: Plan;
  /** The position at which users, organizations and teams are complete, and the one at which everything is. */
  readonly peopleUntil: bigint;
  readonly until: bigint;
}

interface Facts {
  readonly ids: FirstIds;
  readonly peopleUntil: string;
  readonly until: string;
}

/**
 * The worlds, each created once in `DATA_DIR/bench` and kept for later runs until its inputs change. Signing in is the
 * only write to them.
 */
export class Worlds {
  readonly #folder: string;
  #lease: Promise<PostgresLease> | undefined;

  constructor(
    readonly isQuick: boolean,
    dataDir = process.env.DATA_DIR ?? './data',
  ) {
    this.#folder = join(resolve(dataDir), 'bench');
  }

  async open(name: WorldName): Promise<World> {
    const size = sizeOf(name, this.isQuick);
    const lease = await (this.#lease ??= this.#start());
    const database = `world_${name}${this.isQuick ? '_quick' : ''}`;
    const version = await versionOf(size);
    const known = await readFacts(this.#folder, database, version);
    if (known) return worldOf(await embeddedUrl(this.#folder, database), size, known);
    process.stderr.write(`making the ${name} world, once\n`);
    await run(lease.url, `drop database if exists ${database}`);
    await run(lease.url, `create database ${database}`);
    await run(lease.url, `alter database ${database} set synchronous_commit = off`);
    const url = await embeddedUrl(this.#folder, database);
    const facts = await makeWorld(url, this.#folder, size);
    await run(url, `create table bench_world (version text, facts json)`);
    await run(url, `insert into bench_world values ('${version}', '${JSON.stringify(facts)}')`);
    return worldOf(url, size, facts);
  }

  async close(): Promise<void> {
    await (await this.#lease)?.release();
  }

  async #start(): Promise<PostgresLease> {
    await mkdir(this.#folder, { recursive: true, mode: 0o711 }); // the server's user passes through
    return leasePostgres({ databaseUrl: undefined, dataDir: this.#folder });
  }
}

const SCHEMAS = projections.map(schemaOf);

function worldOf(url: string, size: WorldSize, { ids, peopleUntil, until }: Facts): World {
  return {
    url,
    readUrl: `${url}&options=${encodeURIComponent(`-c search_path=${[...SCHEMAS, 'public'].join()}`)}`,
    plan: new Plan(size, ids),
    peopleUntil: BigInt(peopleUntil),
    until: BigInt(until),
  };
}

/** A digest of all inputs of a world; code of projections is represented by their versions. */
export async function versionOf(
  size: WorldSize,
  built: readonly Projection[] = projections,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify({ TALE, size, schemas: built.map(schemaOf) }));
  const folders = ['events', 'vault', 'projector', ...built.map(({ name }) => name)];
  for (const folder of folders)
    for (const { text } of await readMigrations(folder, MIGRATIONS)) hash.update(text);
  return hash.digest('hex');
}

async function readFacts(folder: string, database: string, version: string): Promise<Facts | undefined> {
  const client = new pg.Client({ connectionString: await embeddedUrl(folder, database) });
  try {
    await client.connect();
    const { rows } = await client.query<{ facts: Facts }>(
      'select facts from bench_world where version = $1',
      [version],
    );
    return rows[0]?.facts;
  } catch {
    return undefined; // never made, or not to its end
  } finally {
    await client.end();
  }
}

async function makeWorld(url: string, dataDir: string, size: WorldSize): Promise<Facts> {
  const config = benchConfig(url, dataDir);
  await prepare(config, createLogger({ name: 'bench', level: 'warn' }), () => undefined);
  const connections = await connect(config, { applicationName: 'bench', onError: () => undefined });
  const projector = await startProgram(new URL('../../projections/main.js', import.meta.url), {
    environment: serviceEnvironment(process.env, { ...config, logLevel: 'warn' }),
  });
  try {
    const ids = await reserveIds(connections, size);
    const peopleUntil = await fill(connections, new Plan(size, ids));
    const until = await connections.log.lastPosition();
    await shown(connections, until);
    await run(url, 'vacuum analyze');
    return { ids, peopleUntil: String(peopleUntil), until: String(until) };
  } finally {
    await projector.stop();
    await connections.close();
  }
}

async function reserveIds({ log }: Connections, size: WorldSize): Promise<FirstIds> {
  const commands = new CommandHandler({ log });
  const reserve = async (kind: string, count: number) => {
    const at = new Date().toISOString();
    const command = { type: 'ReserveIdBlock', data: { kind, size: count, at } } as const;
    const { events } = await commands.handle(IdBlock, kind, command, { commandId: v4(), at });
    return events[0]?.data.first ?? 0;
  };
  return {
    account: await reserve('account', size.users + size.organizations),
    team: await reserve('team', size.teams),
    repository: await reserve('repository', size.repositories + LISTED + 2),
    label: await reserve('label', LABELS.length),
    issue: await reserve('issue', size.issues + 1),
    comment: await reserve('comment', (size.issues + 1) * size.commentsAnIssue),
  };
}

/** Resolves when every read model has reached the position. */
async function shown({ db }: Connections, until: bigint): Promise<void> {
  for (;;) {
    const checkpoints = await readCheckpoints(db, SCHEMAS);
    if ([...checkpoints.values()].every(({ position }) => position >= until)) return;
    await sleep(200);
  }
}
