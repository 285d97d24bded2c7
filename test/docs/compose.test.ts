import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataDir } from '../support/data-dir.js';

const execute = promisify(execFile);

/** What the image sets: nothing outside of a container depends on it. */
const OF_THE_IMAGE = ['HOST', 'PORT', 'DATA_DIR'];

const compose = readFileSync('docker-compose.yml', 'utf8');

/** Makes the file `whole` last, and only where nothing has told it to break off. */
const PG_BASEBACKUP = `#!/bin/sh
folder=\${1#--pgdata=}
mkdir -p "$folder"
echo 18 > "$folder/PG_VERSION"
[ -z "$BREAK_OFF" ] && touch "$folder/whole"`;

const POSTGRES = `#!/bin/sh
ls "$PGDATA"`;

/** What it says of each service, from behind its name on. */
const services = new Map(
  Array.from(
    (compose.split(/^(?:services|volumes):$/m)[1] ?? '').matchAll(/^ {2}([\w-]+):(.*\n(?: {4}.*\n|\n)*)/gm),
    ([, name = '', text = '']) => [name, text],
  ),
);
const service = (name: string): string => services.get(name) ?? '';

describe('docker-compose.yml', () => {
  it('passes on every setting that the README lists', () => {
    const [, table = ''] = readFileSync('README.md', 'utf8').split(/^## (?:Configuration|Operating it)$/m);
    const cells = [...table.matchAll(/^\|([^|]+)\|/gm)].join();
    const listed = [...cells.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
    const passedOn = compose.matchAll(/^ {2}([A-Z_]+): /gm);
    expect(new Set(Array.from(passedOn, ([, name = '']) => name))).to.deep.equal(
      new Set(listed.filter((name) => !OF_THE_IMAGE.includes(name))),
    );
  });

  it('needs no variable to be set', () => {
    const named = [...compose.matchAll(/(?<!\$)\$\{([^}]*)\}/g)].map(([, text = '']) => text);
    expect(named).not.to.have.length(0);
    for (const text of named) expect(text).to.match(/^[A-Z_]+:-/);
  });

  it('runs programs that there are', () => {
    const commands = compose.matchAll(/^ {2}command: \[dist\/(\S+)\.js\]$/gm);
    const sources = Array.from(commands, ([, path = '']) => `${path}.ts`);
    expect(sources).to.have.length(4);
    for (const source of sources) expect(existsSync(source), source).to.equal(true);
  });

  it('stands on the releases that are meant, each with a check of its health and a volume of its own', () => {
    const [, volumes = ''] = compose.split(/^volumes:$/m);
    for (const [name, image] of [
      ['postgres', 'postgres:18-bookworm'],
      ['postgres-replica', 'postgres:18-bookworm'],
      ['eventstore', 'eventstore/eventstore:24.10'],
      ['node1', 'eventstore/eventstore:24.10'],
    ] as const) {
      const text = service(name);
      expect(text, name)
        .to.include(`\n    image: ${image}\n`)
        .and.match(/^ {4}healthcheck:\n {6}test: /m);
      expect(text, name).to.match(new RegExp(`^ {6}- ${name}:/var/lib/`, 'm'));
      expect(volumes, name).to.match(new RegExp(`^ {2}${name}:`, 'm'));
    }
    expect(compose).to.match(/^x-api: &api\n(?: {2}.*\n)* {2}healthcheck:\n(?: {4}.*\n)+?.*\/readyz/m);
    for (const name of ['migrate', 'projector', 'dispatcher', 'api'])
      expect(service(name)).to.include('[laptop]');
  });

  it('has one EventStoreDB without TLS for a laptop, or three with it, whose threads are there from the start', () => {
    const [laptop, first] = [service('eventstore'), service('node1')];
    expect(laptop).to.include("EVENTSTORE_INSECURE: 'true'").and.include("EVENTSTORE_CLUSTER_SIZE: '1'");
    expect(laptop, 'nobody outside reaches it').not.to.include('ports:');
    expect(first).to.include("EVENTSTORE_CLUSTER_SIZE: '3'").and.not.include('INSECURE');
    for (const text of [laptop, first])
      expect(text).to.include("DOTNET_ThreadPool_ForceMinWorkerThreads: '0x40'");
    for (const name of ['node1', 'node2', 'node3']) {
      const seeds = ['node1', 'node2', 'node3'].filter((other) => other !== name);
      expect(service(name))
        .to.include(`EVENTSTORE_CERTIFICATE_FILE: /certificates/${name}/node.crt`)
        .and.include(`EVENTSTORE_GOSSIP_SEED: ${seeds.map((seed) => `${seed}:2113`).join(',')}`);
    }
    expect(compose).to.match(
      /^ {2}EVENTSTORE_URL: esdb:.*node1:2113,node2:2113,node3:2113\?tls=true&tlsCaFile=/m,
    );
  });

  it('has in the cluster three nodes of the log, two of each process, a primary and a replica for the api', () => {
    /** With what it takes over from others. */
    const whole = (text: string): string =>
      [text, ...Array.from(text.matchAll(/\*([\w-]+)/g), ([, anchor = '']) => whole(anchored(anchor)))].join(
        '',
      );
    const anchored = (anchor: string): string =>
      [...services.values()].find((text) => text.startsWith(` &${anchor}\n`))?.slice(anchor.length + 2) ??
      new RegExp(`&${anchor}\\n((?: +.*\\n)+)`).exec(compose)?.[1] ??
      '';
    const cluster = Array.from(services, ([name, text]) => ({ name, text: whole(text) })).filter(({ text }) =>
      /^ {4}profiles: \[(?:laptop, )?cluster\]$/m.test(text),
    );
    expect(cluster.map(({ name }) => name)).to.have.members([
      ...['node1', 'node2', 'node3', 'certificates', 'postgres', 'postgres-replica', 'cluster-migrate'],
      ...['api1', 'api2', 'projector1', 'projector2', 'dispatcher1', 'dispatcher2'],
    ]);
    for (const { name, text } of cluster) {
      if (name.startsWith('node')) expect(text, name).to.include("EVENTSTORE_CLUSTER_SIZE: '3'");
      if (/^(?:api|projector|dispatcher)/.test(name))
        expect(text, name).to.match(
          /EVENTSTORE_URL: esdb:\/\/\S+@node1:2113,node2:2113,node3:2113\?tls=true/,
        );
      expect(/DATABASE_REPLICA_URL: \S+@postgres-replica\//.test(text), name).to.equal(
        name.startsWith('api'),
      );
    }
  });

  it('gives up a migration that keeps failing, since `up` waits for its end', () => {
    expect(compose).to.match(/^x-migrate:.*\n(?: {2}.*\n)* {2}restart: on-failure:\d+\n/m);
  });

  it('starts no replica on a copy of the primary that was broken off', async () => {
    const [, script = ''] =
      /command:\n {6}- \|\n((?: {8}.*\n)+) {4}environment:\n {6}PGPASSWORD/.exec(compose) ?? [];
    const folder = await dataDir();
    const programs = join(folder.path, 'bin');
    await mkdir(programs);
    await writeFile(join(programs, 'pg_basebackup'), PG_BASEBACKUP, { mode: 0o755 });
    await writeFile(join(programs, 'postgres'), POSTGRES, { mode: 0o755 });
    const env = { PATH: `${programs}:${process.env.PATH ?? ''}`, PGDATA: join(folder.path, '18/docker') };
    const start = (more: NodeJS.ProcessEnv) =>
      execute('bash', ['-ec', script.replaceAll('$$', '$')], { env: { ...env, ...more } });

    const brokenOff: unknown = await start({ BREAK_OFF: 'yes' }).catch((error: unknown) => error);
    expect(brokenOff).to.include({ code: 1, stdout: '' });
    const { stdout } = await start({});
    await folder.remove();
    expect(stdout).to.equal('PG_VERSION\nwhole\n');
  });

  it('makes certificates of the nodes that last as long as their authority', () => {
    expect(compose).to.include('create-node -days 1825 ');
  });
});

describe('.dockerignore', () => {
  it('lets through what the Dockerfile copies, and nothing else', () => {
    const copies = readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm);
    const copied = [...copies].flatMap(([, sources = '']) => sources.split(' '));
    const [everything, ...exceptions] = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).to.equal('*');
    expect(exceptions.map((line) => line.slice(1).replace('/*.mjs', ''))).to.have.members(copied);
  });
});
