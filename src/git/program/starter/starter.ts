import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../../port/programs.js';
import {
  abstractPath,
  greet,
  type Order,
  type Program,
  type Report,
  type StarterEnvironment,
  type StreamName,
} from './messages.js';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const SECRET_BYTES = 32;

/**
 * A program could not be started. Any other error means that the starter, or a connection to it, was lost, and that another
 * attempt may succeed.
 */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** A program that was started. */
export interface Started {
  /** The number of its process, which leads a group. */
  readonly pid: number;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly channel: Socket | undefined;
  /** Resolves when it has ended and nothing holds its standard error. Rejects if the starter ended before it. */
  readonly ended: Promise<Ended>;
}

let opening: Promise<Starter> | undefined;

/**
 * Starts a program, by a small process that does nothing else: see `main.ts`. That process is started with the first
 * program, and again if it was killed. It ends with this process, and does not keep it from ending.
 */
export async function startProgram(program: Program): Promise<Started> {
  opening ??= open();
  return (await opening).start(program);
}

function open(): Promise<Starter> {
  const forget = () => {
    if (opening === opened) opening = undefined;
  };
  const opened = Starter.open(forget);
  opened.catch(forget); // node throws what it cannot even try, as where memory is short
  return opened;
}

/** What is heard of one program; an `error` if it could not be started, or if the starter ended before it. */
type News = EventEmitter<{ started: [pid: number]; ended: [ended: Ended]; error: [error: Error] }>;

/** Our side of the starter. */
class Starter {
  readonly #programs = new Map<number, News>();
  #lastId = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly environment: StarterEnvironment,
  ) {
    process.on('message', (report: Report) => {
      this.#hear(report);
    });
    process.unref();
    process.channel?.unref();
  }

  static async open(onEnd: () => void): Promise<Starter> {
    const environment = {
      SOCKET: `tallyforge-${randomBytes(16).toString('hex')}`,
      SECRET: randomBytes(SECRET_BYTES).toString('hex'),
    };
    const env = { LD_LIBRARY_PATH: globalThis.process.env.LD_LIBRARY_PATH, ...environment }; // node may need it to start
    const process = fork(MAIN, [], { env, execArgv: [] });
    const over = new Promise<never>((_, reject) => {
      process.once('error', reject);
      process.once('exit', () => {
        reject(new Error('what starts programs has ended'));
      });
    });
    over.catch(onEnd);
    await Promise.race([once(process, 'message'), over]); // it is ready
    const starter = new Starter(process, environment);
    over.catch((error: unknown) => {
      for (const news of starter.#programs.values()) news.emit('error', error as Error);
    });
    return starter;
  }

  async start(program: Program): Promise<Started> {
    const id = ++this.#lastId;
    const stdin = this.#connect(id, 'stdin');
    const stdout = this.#connect(id, 'stdout');
    const channel = program.channel ? this.#connect(id, 'channel') : undefined;
    const sockets = [stdin, stdout, ...(channel ? [channel] : [])];
    const lost = new Promise<never>((_, reject) => {
      for (const socket of sockets) socket.once('error', reject);
    });
    lost.catch(() => undefined); // afterwards, how the program ends tells
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const running = await Promise.race([this.#order({ id, program }), lost]);
      return { stdin, stdout, channel, ...running };
    } catch (error) {
      for (const socket of sockets) socket.destroy();
      this.#programs.get(id)?.emit('error', error as Error); // it may be ordered already, and is not waited for any more
      throw error;
    }
  }

  #connect(id: number, stream: StreamName): Socket {
    const { SOCKET, SECRET: secret } = this.environment;
    const socket = connect({ path: abstractPath(SOCKET), allowHalfOpen: stream === 'stdin' });
    socket.on('error', () => undefined);
    socket.write(greet({ secret, id, stream }));
    return socket;
  }

  async #order(order: Order): Promise<Pick<Started, 'pid' | 'ended'>> {
    const news: News = new EventEmitter();
    news.on('error', () => undefined); // after the first, which rejects the promises below, a second tells nothing new
    const ended = once(news, 'ended').then(([how]) => how as Ended);
    const started = once(news, 'started').then(([pid]) => pid as number);
    this.#programs.set(order.id, news);
    this.process.channel?.ref(); // programs are waited for
    const forget = () => {
      this.#programs.delete(order.id);
      if (this.#programs.size === 0) this.process.channel?.unref();
    };
    ended.then(forget, forget);
    this.process.send(order, (error) => {
      if (error) news.emit('error', error);
    });
    return { pid: await started, ended };
  }

  #hear(report: Report): void {
    if (report.type === 'ready') return;
    const news = this.#programs.get(report.id);
    if (report.type === 'started') news?.emit('started', report.pid);
    else if (report.type === 'ended') news?.emit('ended', report.ended);
    else if (report.type === 'failed') news?.emit('error', new NotStarted(report.reason));
    else news?.emit('error', new Error('a connection was lost'));
  }
}
