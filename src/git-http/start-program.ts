import type { Readable } from 'node:stream';
import type { ProgramOptions, RunningProgram } from '../git/port/programs.js';
import { clientOf } from '../http/authentication/client-address.js';
import type { Context } from '../http/context.js';
import { Refused } from '../http/refused.js';
import type { Visit } from './visit.js';

/** Starts a git program within the client's share of them. A client that disconnects no longer waits for its share. */
export async function startProgram(
  { ctx, services: { git, config }, shares }: Visit,
  repositoryId: number,
  args: readonly string[],
  options: ProgramOptions,
): Promise<RunningProgram> {
  const client = clientOf(ctx.state.caller?.accountId, ctx.req, config.trustedProxies);
  const gone = new AbortController();
  const hangUp = () => {
    gone.abort(new Refused(400, 'the request was cut off'));
  };
  if (ctx.res.destroyed) hangUp();
  ctx.res.once('close', hangUp);
  const giveBack = await shares.take(client, gone.signal).finally(() => ctx.res.off('close', hangUp));
  try {
    const program = await git.start(repositoryId, args, { ...options, ...protocolOf(ctx) });
    program.ended.then(giveBack, giveBack);
    return program;
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Does the same as `startProgram`, and destroys the body if that fails, because otherwise nobody would ever read it. */
export async function startReading(
  body: Readable,
  ...program: Parameters<typeof startProgram>
): Promise<RunningProgram> {
  try {
    return await startProgram(...program);
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Returns the protocol version that the client asks for as a variable for git, if the header is safe to pass on. */
function protocolOf(ctx: Context): Pick<ProgramOptions, 'env'> {
  const protocol = ctx.get('Git-Protocol');
  return /^[a-z0-9]+=[a-z0-9]+(:[a-z0-9]+=[a-z0-9]+)*$/i.test(protocol)
    ? { env: { GIT_PROTOCOL: protocol } }
    : {};
}
