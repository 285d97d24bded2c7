import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setImmediate } from 'node:timers/promises';
import { listen } from '../../../src/http/server/server.js';

/** Asks for something, notes that it has, and succeeds where it is answered. */
const ASKING = `
  import { writeFileSync } from 'node:fs';
  import { connect } from 'node:net';
  const [, address, asked] = process.argv;
  const client = connect(Number(new URL(address).port), '127.0.0.1');
  client.on('error', () => process.exit(1));
  client.on('connect', () => {
    client.write('GET / HTTP/1.1\\r\\nHost: here\\r\\n\\r\\n', () => writeFileSync(asked, ''));
  });
  client.on('data', (answer) => process.exit(String(answer).startsWith('HTTP/1.1 200') ? 0 : 2));
  client.on('end', () => process.exit(3));`;

describe('the server', () => {
  it('goes on where connections cannot be accepted', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => ({ socket }, response) => {
      const { server: listening } = socket as unknown as { readonly server: EventEmitter };
      for (const code of ['EMFILE', 'ENFILE']) listening.emit('error', new Error(`accept ${code}`));
      response.end('here');
    });
    expect(await (await fetch(server.address)).text()).to.equal('here');
    await server.close();
  });

  it('answers what is under way when it closes, takes nothing new, and lets go of idle connections', async () => {
    let finish: () => void = () => undefined;
    let arrived: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    const place = { host: '127.0.0.1', port: 0, closedWithinMs: 600_000 }; // however slow this process is
    const server = await listen(place, () => (request, response) => {
      if (request.url === '/quick') return void response.end('quick');
      finish = () => void response.end('slow');
      arrived();
    });
    await (await fetch(`${server.address}/quick`)).text(); // its connection stays, idle
    const slow = fetch(`${server.address}/slow`).then((response) => response.text());
    await underWay;
    const closed = server.close();
    const isTaken = () =>
      fetch(`${server.address}/quick`).then(
        () => true,
        () => false,
      );
    while (await isTaken());
    finish();
    expect(await slow).to.equal('slow');
    await closed;
  });

  it('answers who asks once more on a connection that is kept, and says that this was the last time', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => (_request, response) => {
      response.end('answered');
    });
    const client = connect(Number(new URL(server.address).port), '127.0.0.1').setEncoding('utf8');
    const ask = async () => {
      client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      const [answer] = (await once(client, 'data')) as [string];
      return answer;
    };
    expect(await ask()).to.match(/^Connection: keep-alive/m);
    const closed = Promise.all([once(client, 'end'), server.close()]);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(await ask())
      .to.match(/^Connection: close/m)
      .and.include('answered');
    await closed;
  });

  it('does not wait for connections that never asked for anything', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => () => undefined);
    const silent = connect(Number(new URL(server.address).port), '127.0.0.1').resume();
    await once(silent, 'connect');
    await Promise.all([once(silent, 'close'), server.close()]);
  });

  it('does not wait for those longer where the clock is set back meanwhile', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => () => undefined);
    const silent = connect(Number(new URL(server.address).port), '127.0.0.1').resume();
    await once(silent, 'connect');
    const closed = server.close();
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
    try {
      await Promise.all([once(silent, 'close'), closed]);
    } finally {
      Date.now = now;
    }
  });

  it('answers what was asked for while the process was busy, however long that was', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => (_request, response) => {
      response.end();
    });
    const client = connect(Number(new URL(server.address).port), '127.0.0.1');
    await once(client, 'connect');
    await (await fetch(server.address)).text(); // so that the first connection is accepted by now
    const closed = server.close();
    client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    const busyUntil = Date.now() + 700;
    while (Date.now() < busyUntil);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).to.match(/^HTTP\/1.1 200/);
    await closed;
  });

  it('answers who had connected before it closed, though the process was too busy to notice', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => (_request, response) => {
      response.end();
    });
    const folder = await mkdtemp(join(tmpdir(), 'tallyforge-test-'));
    const asked = join(folder, 'asked');
    const client = spawn(process.execPath, ['--input-type=module', '--eval', ASKING, server.address, asked]);
    while (!existsSync(asked));
    const closed = server.close();
    const [code] = (await once(client, 'exit')) as [number];
    expect(code).to.equal(0);
    await closed;
    await rm(folder, { recursive: true });
  });

  it('lets a client take an answer that was complete when it closed', async () => {
    const place = { host: '127.0.0.1', port: 0, closedWithinMs: 600_000 }; // however slow this process is
    const size = 16 * 1024 * 1024;
    const server = await listen(place, () => (_request, response) => {
      response.end(Buffer.alloc(size));
    });
    const slow = connect(Number(new URL(server.address).port), '127.0.0.1').pause();
    slow.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(slow, 'readable');
    const closed = server.close();
    await sleep(300); // long enough to be taken for idle
    let taken = 0;
    slow.on('data', ({ length }: Buffer) => (taken += length)).resume();
    await Promise.all([once(slow, 'close'), closed]);
    expect(taken).to.be.greaterThan(size);
  });

  it('does not wait long for clients that do not take what they asked for', async () => {
    const place = { host: '127.0.0.1', port: 0, closedWithinMs: 100 };
    const server = await listen(place, () => (_request, response) => {
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const deaf = connect(Number(new URL(server.address).port), '127.0.0.1').pause();
    deaf.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(deaf, 'readable');
    await server.close();
    deaf.destroy();
  });

  it('cuts off a client that takes nothing of an answer, not one that waits for it', async () => {
    const place = { host: '127.0.0.1', port: 0, slowestMs: 500 };
    const told = new EventEmitter();
    const server = await listen(place, () => (request, response) => {
      if (request.url === '/late') return void told.once('cut off', () => response.end('late')).emit('asked');
      response.once('close', () => told.emit('cut off'));
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const asked = once(told, 'asked');
    const late = fetch(`${server.address}/late`).then((answer) => answer.text());
    await asked;
    const deaf = connect(Number(new URL(server.address).port), '127.0.0.1');
    deaf
      .on('error', () => undefined)
      .pause()
      .write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n');
    expect(await late).to.equal('late');
    deaf.destroy();
    await server.close();
  });

  it('cuts off a client that takes an answer by drops, not one that is slow', async () => {
    const place = { host: '127.0.0.1', port: 0, slowestMs: 3_000 }; // in which this process is held up, too, for less
    const cutOff: string[] = [];
    const large = Buffer.alloc(256 * 1024 * 1024);
    const server = await listen(place, () => ({ url = '' }, response) => {
      response.once('close', () => cutOff.push(url)).end(large);
    });
    const taking = (path: string, bytesAtOnce?: number) => {
      const client = connect(Number(new URL(server.address).port), '127.0.0.1').pause();
      client.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
      const timer = setInterval(() => client.read(bytesAtOnce) as unknown, 10);
      return client.once('close', () => {
        clearInterval(timer);
      });
    };
    const clients = [taking('/drops', 10), taking('/slow')];
    while (cutOff.length === 0) await sleep(20);
    expect(cutOff).to.deep.equal(['/drops']);
    for (const client of clients) client.destroy();
    await server.close();
  });

  describe('that limits how long a request may take to arrive', () => {
    const told = new EventEmitter();
    let server: Awaited<ReturnType<typeof listen>>;
    beforeEach(async () => {
      server = await listen({ host: '127.0.0.1', port: 0 }, () => (request, response) => {
        told.emit('asked');
        if (request.url === '/early') return void response.end('early', () => told.emit('answered'));
        request.resume().once('end', () => response.end('whole'));
      });
    });
    afterEach(() => server.close());

    /** Sends the head of a request and a part of its body once time stands still. */
    const asking = async (path: string, body: string) => {
      const client = connect(Number(new URL(server.address).port), '127.0.0.1').setEncoding('utf8');
      await once(
        client.on('error', () => undefined),
        'connect',
      );
      const asked = once(told, path === '/early' ? 'answered' : 'asked');
      client.write(`POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\n${body}`);
      await asked;
      return client;
    };
    const tooLate = () => {
      mock.timers.tick(120_000);
      mock.timers.reset();
    };
    beforeEach(() => {
      mock.timers.enable({ apis: ['setTimeout'] });
    });
    afterEach(() => {
      mock.timers.reset();
    });

    it('says so to whose does not', async () => {
      const client = await asking('/', 'par');
      tooLate();
      expect((await once(client, 'data'))[0]).to.match(/^HTTP\/1.1 408 /);
      client.destroy();
    });

    it('cuts off who was answered before, without another word', async () => {
      const client = await asking('/early', 'par');
      tooLate();
      let said = '';
      client.on('data', (text: string) => (said += text));
      await once(client, 'close');
      expect(said.match(/HTTP\/1.1/g)).to.have.length(1);
    });

    it('goes on with a connection whose requests arrive', async () => {
      const client = await asking('/', 'whole');
      expect((await once(client, 'data'))[0]).to.match(/^HTTP\/1.1 200 /);
      tooLate();
      client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      expect((await once(client, 'data'))[0]).to.match(/^HTTP\/1.1 200 /);
      client.destroy();
    });
  });

  it('lets a client read why it was refused, and then does not wait for it to hang up', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => () => undefined);
    const port = Number(new URL(server.address).port);
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
    client.on('error', () => undefined).write('this is no request\r\n\r\n');
    const closed = new Promise((resolve) => client.once('close', resolve));
    const [answer] = (await once(client, 'data')) as [string];
    const timer = setInterval(() => client.write('and goes on'), 50);
    await closed;
    clearInterval(timer);
    expect(answer).to.match(/^HTTP\/1.1 400/);
    await server.close();
  });

  it('works on one request of a connection at a time, and on no more once that is gone', async () => {
    const asked: string[] = [];
    const answers: ServerResponse[] = [];
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => ({ url = '' }, response) => {
      asked.push(url);
      answers.push(response);
    });
    const client = connect(Number(new URL(server.address).port), '127.0.0.1').resume();
    client.write(['/a', '/b', '/c'].map((path) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`).join(''));
    for (const path of ['/a', '/b']) {
      while (asked.at(-1) !== path) await sleep(5);
      await sleep(20);
      expect(asked.at(-1)).to.equal(path);
      if (path === '/a') answers[0]?.end();
    }
    client.destroy();
    await once(answers[1] ?? client, 'close');
    answers[1]?.end();
    await server.close();
    expect(asked).to.deep.equal(['/a', '/b']);
  });

  it('cuts off a client that asks on and on, and works on nothing that it asks for then', async () => {
    let asked = 0;
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => () => {
      asked += 1;
    });
    const client = connect(Number(new URL(server.address).port), '127.0.0.1').resume();
    client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(5_000));
    await new Promise((resolve) => client.once('close', resolve));
    expect(asked).to.equal(1);
    await server.close();
  });

  it('answers many requests that come without waiting, in their order', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => (request, response) => {
      process.nextTick(() => response.end(`<${request.url}>`));
    });
    const client = connect(Number(new URL(server.address).port), '127.0.0.1');
    let said = '';
    client.on('data', (chunk: Buffer) => (said += chunk.toString()));
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 900; n++) client.write(`GET /${round}.${n} HTTP/1.1\r\nHost: here\r\n\r\n`);
      while (!said.includes(`</${round}.899>`)) await once(client, 'data');
    }
    expect(said.match(/<[^>]+>/g)).to.have.length(4_500);
    client.destroy();
    await server.close();
  });

  it('takes a target that names the server, whatever it is called there, for its path', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 }, () => ({ url }, response) => {
      response.end(`<${url}>`);
    });
    const client = connect(Number(new URL(server.address).port), '127.0.0.1');
    for (const [target, path] of [
      ['http://here/a?b', '/a?b'],
      ['http://[::1/a', '/a'],
      ['http://xn--/a', '/a'],
      ['http://here', '/'],
      ['http://?a', '/?a'],
      ['//here/a', '//here/a'],
      ['*', '*'],
    ] as const) {
      client.write(`GET ${target} HTTP/1.1\r\nHost: here\r\n\r\n`);
      const [answer] = (await once(client, 'data')) as [Buffer];
      expect(answer.toString()).to.contain(`<${path}>`);
    }
    client.destroy();
    await server.close();
  });

  it('rejects where it cannot listen', async () => {
    const first = await listen({ host: '127.0.0.1', port: 0 }, () => () => undefined);
    const { port } = new URL(first.address);
    const second = await listen({ host: '127.0.0.1', port: Number(port) }, () => () => undefined).then(
      () => 'listens',
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    await first.close();
    expect(second).to.equal('EADDRINUSE');
  });
});
