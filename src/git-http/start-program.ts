import type { Readable } from 'node:stream';
import type { ProgramOptions, RunningProgram } from '../git/port/programs.js';
import { clientOf } from '../http/authentication/client-address.js';
import type { Context } from '../http/context.js';
import { Refused } from '../http/refused.js';
import type { Visit } from './visit.js';

/** Starts a git program in the share of whoever asks; a client that hangs up no longer waits for its share. */
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

/** As `startProgram`, for one that reads the body: where none comes to read it, the body would wait for one for ever. */
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

/** The version of the protocol that the client speaks, where it says so in words that are safe to hand on. */
function protocolOf(ctx: Context): Pick<ProgramOptions, 'env'> {
  const protocol = ctx.get('Git-Protocol');
  return /^[a-z0-9]+=[a-z0-9]+(:[a-z0-9]+=[a-z0-9]+)*$/i.test(protocol)
    ? { env: { GIT_PROTOCOL: protocol } }
    : {};
}
