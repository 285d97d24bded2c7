/**
 * The starter: a small process that starts programs for a large one. The kernel copies the page tables of a process that
 * starts another, and it stands still meanwhile: 1 ms for this one, 5 to 12 ms for an api.
 *
 * The large process orders a program and connects to our socket, once for each of the program's streams. It sends no more
 * than a greeting until it hears that the program was started. From then on they are the program's own connections; the
 * starter only collects what the program says on standard error. It ends when the large process is gone and the last
 * program has ended.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import {
  abstractPath,
  greeted,
  LONGEST_GREETING,
  type Order,
  type Program,
  type Report,
  type StarterEnvironment,
  type StreamName,
} from './messages.js';

/** How much of a program's standard error is kept. */
const STDERR_BYTES = 64 * 1024;
/**
 * How long a connection may take to greet, in ms, as any user of the machine can connect; and how long a program waits for
 * its connections.
 */
const GREETING_MS = 30_000;

/** A program whose order or connections have not all arrived. */
interface Awaited {
  readonly connections: Partial<Record<StreamName, Socket>>;
  program?: Program;
}

interface Connections {
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly channel: Socket | undefined;
}

if (!process.connected) process.exit(); // the large process was gone before this line

const { SOCKET, SECRET } = process.env as StarterEnvironment;
const awaited = new Map<number, Awaited>();

const server = createServer({ allowHalfOpen: true }, (connection) => {
  connection.on('error', () => undefined); // the other side hears of it as well
  connection.setTimeout(GREETING_MS, () => connection.destroy());
  let line = '';
  const read = (bytes: Buffer) => {
    line += bytes.toString('latin1');
    if (!line.endsWith('\n') && line.length < LONGEST_GREETING) return;
    const greeting = greeted(line);
    if (greeting?.secret !== SECRET) {
      connection.destroy();
      return;
    }
    connection.setTimeout(0).off('data', read).resume(); // it says no more before the start, except that it ends
    const { id, stream } = greeting;
    connection.once('end', () => giveUp(id)).once('close', () => giveUp(id));
    arrived(id, ({ connections }) => (connections[stream] = connection));
  };
  connection.on('data', read);
});

/** Notes a part of what a program needs, and starts it if nothing is missing any more. */
function arrived(id: number, note: (waiting: Awaited) => unknown): void {
  const waiting = awaited.get(id) ?? { connections: {} };
  awaited.set(id, waiting);
  note(waiting);
  const { program, connections } = waiting;
  const { stdin, stdout, channel } = connections;
  if (!program || !stdin || !stdout || (program.channel && !channel)) return;
  awaited.delete(id);
  start(id, program, { stdin, stdout, channel });
}

/** Forgets a program that has lost a connection before its start. */
function giveUp(id: number): void {
  const waiting = awaited.get(id);
  if (!waiting) return;
  awaited.delete(id);
  for (const connection of Object.values(waiting.connections)) connection.destroy();
  report({ type: 'lost', id });
}

function start(id: number, program: Program, connections: Connections): void {
  try {
    follow(id, spawned(program, connections));
  } catch (error) {
    // Node throws what it cannot even try, such as arguments that are too long.
    report({ type: 'failed', id, reason: (error as Error).message });
  } finally {
    const { stdin, stdout, channel } = connections;
    for (const own of [stdin, stdout, channel]) own?.destroy(); // the program's: nobody else may read or hold them open
  }
}

const spawned = (
  { command, args, cwd, env }: Program,
  { stdin, stdout, channel }: Connections,
): ChildProcess =>
  spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: [stdin, stdout, ...(channel ? [channel] : []), 'pipe'],
  });

/** Reports how a program begins and ends. */
function follow(id: number, child: ChildProcess): void {
  // Without file descriptors for pipes there are no streams, and node reports the error only later.
  const errors = (child.stdio as ChildProcess['stdio'] | undefined)?.at(-1) as Readable | undefined;
  let stderr = Buffer.alloc(0);
  errors?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES);
  });
  child.once('error', ({ message }) => {
    report({ type: 'failed', id, reason: message });
  });
  if (child.pid === undefined) return;
  child.once('close', (code, signal) => {
    report({ type: 'ended', id, ended: { code, signal, stderr: stderr.toString() } });
  });
  report({ type: 'started', id, pid: child.pid });
}

function report(news: Report): void {
  if (process.connected) process.send?.(news, () => undefined);
}

process.on('message', ({ id, program }: Order) => {
  arrived(id, (waiting) => (waiting.program = program));
  if (awaited.has(id)) setTimeout(giveUp, GREETING_MS, id).unref(); // its connections may have been lost before
});
process.on('disconnect', () => {
  server.close();
  for (const id of [...awaited.keys()]) giveUp(id);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined); // programs still need it
server.listen(abstractPath(SOCKET), () => {
  report({ type: 'ready' });
});
