import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { resolver, type Address, type Resolve, type ResolverOptions } from '../../src/outgoing/resolve.js';
import { until } from '../support/process.js';
import { rejection } from '../support/rejection.js';

const TYPE_A = 1;

describe('the look-up of names', () => {
  let server: Socket;
  let folder: string;
  let asked: string[];
  let bySystem: string[];
  let options: ResolverOptions;
  let resolve: Resolve;

  /** What the system says, where it is asked. */
  let systemSays: () => Promise<readonly Address[]>;

  before(async () => {
    server = createSocket('udp4', (query, from) => {
      const answer = answerTo(query);
      if (answer) server.send(answer, from.port, from.address);
    }).bind(0, '127.0.0.1');
    await once(server, 'listening');
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-names-'));
    const hosts = join(folder, 'hosts');
    await writeFile(hosts, '# names\n10.0.0.9 pinned.test Other.test # more\n::1 pinned.test\n');
    options = {
      servers: [`127.0.0.1:${server.address().port}`],
      hosts,
      system: (hostname) => {
        bySystem.push(hostname);
        return systemSays();
      },
    };
    resolve = resolver(options);
  });
  beforeEach(() => {
    asked = [];
    bySystem = [];
    systemSays = () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  /** Knows `known.test`, says nothing of what is silent, and that there is nothing else. */
  function answerTo(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    if (name.startsWith('silent')) return undefined;
    const isKnown = name === 'known.test';
    const hasAddress = isKnown && query.readUInt16BE(at + 1) === TYPE_A;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(hasAddress ? 1 : 0, 6);
    head.fill(0, 8);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 7]);
    return Buffer.concat([head, query.subarray(12, at + 5), ...(hasAddress ? [answer] : [])]);
  }

  it('asks the name servers, and not the system', async () => {
    expect(await resolve('known.test')).to.deep.equal([{ address: '192.0.2.7', family: 4 }]);
    expect(bySystem).to.deep.equal([]);
  });

  it('finds what the file of names has before all else', async () => {
    expect(await resolve('PINNED.test')).to.deep.equal([
      { address: '10.0.0.9', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(await resolve('other.test')).to.have.length(1);
    expect(asked).to.deep.equal([]);
  });

  it('leaves to the system what the name servers do not know, and short names', async () => {
    for (const name of ['unknown.test', 'receiver']) expect(await resolve(name)).to.have.length(1);
    expect(bySystem).to.deep.equal(['unknown.test', 'receiver']);
    expect(asked).to.not.include('receiver');
  });

  it('asks the system for one name at a time, and goes on where that fails', async () => {
    let most = 0;
    let now = 0;
    systemSays = async () => {
      most = Math.max(most, (now += 1));
      await new Promise(setImmediate);
      now -= 1;
      throw new Error('no such name');
    };
    await Promise.all(['a', 'b', 'c'].map((name) => rejection(resolve(name))));
    expect([most, bySystem.sort()]).to.deep.equal([1, ['a', 'b', 'c']]);
  });

  it('lets no short name wait for one that the system says nothing of', async () => {
    let answer!: (addresses: readonly Address[]) => void;
    systemSays = () => new Promise((resolve) => (answer = resolve));
    const silent = resolve('unknown.test');
    await until(() => bySystem.includes('unknown.test'));
    systemSays = () => Promise.resolve([{ address: '10.0.0.2', family: 4 }]);
    expect(await resolve('receiver')).to.have.length(1);
    answer([{ address: '10.0.0.3', family: 4 }]);
    expect(await silent).to.have.length(1);
  });

  it('says that a name took too long which waited for another', async () => {
    let answer!: (addresses: readonly Address[]) => void;
    systemSays = () => new Promise((resolve) => (answer = resolve));
    const resolve = resolver({ ...options, waitMs: 20 });
    const first = resolve('receiver');
    await until(() => bySystem.includes('receiver'));
    const interval = setInterval(() => undefined, 20); // the time limit alone would not keep the process waiting
    expect(await rejection(resolve('other'))).to.have.property('code', 'ETIMEOUT');
    clearInterval(interval);
    answer([{ address: '10.0.0.1', family: 4 }]);
    expect(await first).to.have.length(1);
  });

  it('waits long for no name, and lets none of them wait for another', async () => {
    const silent = Array.from({ length: 20 }, (_, number) => rejection(resolve(`silent-${number}.test`)));
    expect(await resolve('known.test')).to.have.length(1);
    expect(await resolve('receiver')).to.have.length(1);
    const errors = await Promise.all(silent);
    for (const error of errors) expect(error).to.have.property('code', 'ETIMEOUT');
    expect(bySystem).to.deep.equal(['receiver']);
  });
});
