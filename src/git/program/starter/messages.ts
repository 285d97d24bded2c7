import type { Ended } from '../../port/programs.js';

/** A program to start, as the leader of a process group of its own. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether it gets a socket as well. The socket is file descriptor 2, and standard error 3, because node gives programs
   * only the first three such that reading from them waits. The command has to exchange them.
   */
  readonly channel: boolean;
}

/** The order to start a program, under a number that whoever orders it gives. */
export interface Order {
  readonly id: number;
  readonly program: Program;
}

/**
 * What the starter reports: that it is ready for connections, and then of each program what becomes of it; that it is `lost`
 * if a connection of its was, before the start.
 */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly id: number; readonly pid: number }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string }
  | { readonly type: 'lost'; readonly id: number }
  | { readonly type: 'ended'; readonly id: number; readonly ended: Ended };

/** The starter's environment: the name of its abstract socket, and what every connection must know. */
export interface StarterEnvironment extends Record<string, string> {
  readonly SOCKET: string;
  readonly SECRET: string;
}

/** The path by which node knows an abstract socket, which has no file. */
export const abstractPath = (name: string): string => `\0${name}`;

/** A stream of a program, which becomes its own. */
export type StreamName = 'stdin' | 'stdout' | 'channel';

/** The first line of a connection. */
export interface Greeting {
  readonly secret: string;
  readonly id: number;
  readonly stream: StreamName;
}

/** The maximum length of a greeting. */
export const LONGEST_GREETING = 200;

/** Writes a greeting. */
export const greet = ({ secret, id, stream }: Greeting): string => `${secret} ${id} ${stream}\n`;

/** Reads a greeting; undefined if the line is none. */
export function greeted(line: string): Greeting | undefined {
  const [, secret = '', id, stream] = /^(\S+) (\d+) (stdin|stdout|channel)\n$/.exec(line) ?? [];
  return id === undefined ? undefined : { secret, id: Number(id), stream: stream as StreamName };
}
