import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { RunningProgram } from '../git/port/programs.js';
import { drain } from '../http/drain.js';
import { Refused } from '../http/refused.js';

/** What goes to git, and what its client gets around what git says; `graceMs` is 0 where it is absent. */
export interface Exchange {
  /** Nothing goes in without. */
  readonly body?: Readable;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes ahead of what git says. */
  readonly opening?: string;
  /** How long git gets to end by itself, and to take away what it has not finished, once its client is gone. */
  readonly graceMs?: number;
}

/**
 * Connects a git program with its client: what the client sends goes in, what git says goes out, neither faster than the
 * other side takes it. Where nothing has been said yet, what is wrong with the request is thrown, and so is an end of git
 * by an error; later the connection is cut, which every client understands.
 */
export async function exchange(
  program: RunningProgram,
  response: ServerResponse,
  { body, headers, opening = '', graceMs = 0 }: Exchange,
): Promise<void> {
  const gone = () => {
    body?.destroy();
    program.stdin.destroy();
    program.stdout.resume(); // were it closed, git would die of that and leave what it has begun
    setTimeout(() => {
      program.kill();
    }, graceMs).unref();
  };
  response.once('close', gone);
  if (response.destroyed) gone(); // the client did not wait until git had begun
  try {
    const incoming = feed(program, body);
    const begins = await Promise.race([begun(program.stdout), incoming.then(() => begun(program.stdout))]);
    if (!begins) await refuseFailure(program);
    response.writeHead(200, headers);
    response.write(opening);
    program.stdout.pipe(response);
    await Promise.all([incoming, finished(response)]);
    // git may be done before it has read all; a connection with half a request in it is of no use, and would stay.
    if (!(await drain(response.req))) response.req.destroy();
  } catch (error) {
    gone();
    if (response.headersSent || response.destroyed) response.destroy();
    else throw error;
  } finally {
    response.off('close', gone);
  }
}

/** Rejects where the request is at fault; git may well end before it has read everything. */
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

/** Whether git says anything. */
function begun(output: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (output.readableLength > 0) settle(true);
      else if (output.readableEnded || output.destroyed) settle(false);
      else output.read(0); // or an end without output would not show
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

/** What git says of a request that is not of its protocol; of a broken repository it says other things. */
const MISUNDERSTOOD =
  /protocol error|the remote end hung up|unknown capability|unexpected line|expected (?:flush|SHA1 object)|(?:invalid|no) command|already requesting|object format|push certificate|unexpected response end/;
/** And of one that is, but asks for what cannot be. */
const REFUSED = /^fatal: (.*(?:deepen|shallow|filter|expected 'tree:).*)$/m;

async function refuseFailure(program: RunningProgram): Promise<void> {
  const { code, stderr } = await program.ended;
  if (code === 0) return;
  if (MISUNDERSTOOD.test(stderr)) throw new Refused(400, 'the body is not of the protocol of git');
  const [, reason] = REFUSED.exec(stderr) ?? [];
  if (reason !== undefined) throw new Refused(400, reason);
  throw new Error(`git ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
}
