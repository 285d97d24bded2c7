import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { RunningProgram } from '../git/port/programs.js';
import { Refused } from '../http/refused.js';

/** The input of a git program, and the response around its output. */
export interface Exchange {
  /** The program's input; empty by default. */
  readonly body?: Readable;
  readonly headers: Readonly<Record<string, string>>;
  /** Text that is sent before the program's output. */
  readonly opening?: string;
  /**
   * How long git may go on once the client has disconnected, before it is cut short, and then take to tidy up, before it is
   * killed; 0 by default.
   */
  readonly graceMs?: number;
}

/**
 * Connects a git program with its client: the request's body is its input, its output the response, both with
 * backpressure. Before any output, a fault of the request or a failure of git is thrown; later the connection is cut,
 * which every client understands, also if git was killed or nobody knows how it ended.
 */
export async function exchange(
  program: RunningProgram,
  response: ServerResponse,
  { body, headers, opening = '', graceMs = 0 }: Exchange,
): Promise<void> {
  const gone = () => {
    body?.destroy();
    program.stdin.destroy();
    // Closing it would kill git, which would leave its unfinished files behind; a pipe to what is closed would hold it.
    // Only somebody who reads lets it flow again once nobody waits for its beginning any more.
    program.stdout.unpipe(response).on('data', ignore).resume();
    setTimeout(() => {
      program.cutShort();
    }, graceMs).unref();
    setTimeout(() => {
      program.kill();
    }, 2 * graceMs).unref();
  };
  response.once('close', gone);
  if (response.destroyed) gone(); // the client has disconnected before git began
  try {
    const incoming = feed(program, body);
    const begins = await Promise.race([begun(program.stdout), incoming.then(() => begun(program.stdout))]);
    if (!begins) await refuseFailure(program);
    response.writeHead(200, headers);
    response.write(opening);
    program.stdout.pipe(response, { end: false });
    await Promise.all([incoming, conclude(program, response), finished(response)]);
  } catch (error) {
    gone();
    if (response.headersSent || response.destroyed) response.destroy();
    else throw error;
  } finally {
    response.off('close', gone);
  }
}

const ignore = () => undefined;

/** Feeds the body to git. Rejects only if the request is at fault, because git may end before it has read everything. */
async function feed(program: RunningProgram, body: Readable | undefined): Promise<void> {
  if (!body) {
    program.stdin.end();
    return;
  }
  try {
    await pipeline(body, program.stdin);
  } catch (error) {
    if (error instanceof Refused) throw error;
  }
}

/**
 * Ends the response once git has ended and all of its output was passed on. Rejects if that may not be all that git had
 * to say. An exit code does not tell: git ends with one after many an answer that clients expect.
 */
async function conclude({ ended, stdout }: RunningProgram, response: ServerResponse): Promise<void> {
  const { code } = await ended;
  if (code === null) throw new Error('git was killed while it answered');
  await finished(stdout, { writable: false });
  response.end();
}

/** Resolves with true at git's first output, or with false if it ends without any. */
function begun(output: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (output.readableLength > 0) settle(true);
      else if (output.readableEnded || output.destroyed) settle(false);
      else output.read(0); // otherwise an end without output would not be noticed
    };
    const ended = () => {
      settle(false);
    };
    const settle = (outcome: boolean) => {
      output.off('readable', look).off('end', ended).off('close', ended);
      resolve(outcome);
    };
    output.on('readable', look).on('end', ended).on('close', ended);
    look();
  });
}

/** git's complaints about a request that violates its protocol, as opposed to those about a broken repository. */
const MISUNDERSTOOD =
  /protocol error|the remote end hung up|unknown capability|unexpected line|expected (?:flush|SHA1 object)|(?:invalid|no) command|already requesting|object format|push certificate|incompatible signature|unexpected response end/;
/** git's complaints about a well-formed request for something impossible. */
const REFUSED = /^fatal: (.*(?:deepen|shallow|filter|expected 'tree:).*)$/m;

async function refuseFailure(program: RunningProgram): Promise<void> {
  const { code, stderr } = await program.ended;
  if (code === 0) return;
  if (MISUNDERSTOOD.test(stderr)) throw new Refused(400, 'the body is not of the protocol of git');
  const [, reason] = REFUSED.exec(stderr) ?? [];
  if (reason !== undefined) throw new Refused(400, reason);
  throw new Error(`git ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
}
