import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { CommandContext } from '../commands/context.js';
import { clearRemains } from '../commands/repositories/roll-forward.js';
import { leniency } from '../git/port/flaws.js';
import type { Caller, Principal } from '../http/caller.js';
import type { Context } from '../http/context.js';
import { isMoved } from '../http/moved.js';
import { actingAs } from '../http/public-only.js';
import { Refused } from '../http/refused.js';
import { pusherOf } from '../http/repositories/content/branch-view.js';
import { forksOf } from '../http/repositories/forks-of.js';
import type { RepositoryMet } from '../http/repositories/place.js';
import type { Services } from '../http/services.js';
import { conductPush } from '../push/conduct.js';
import { HOOKS } from '../push/hooks.js';
import type { Admission } from '../push/judge.js';
import { FLUSH } from '../push/pkt-line.js';
import { Wire } from '../push/wire.js';
import { admit } from './admit.js';
import { exchange } from './exchange.js';
import { NamedRefs } from './named-refs.js';
import { nameNow } from './refusal.js';
import type { GitRequest } from './route.js';
import { startReading } from './start-program.js';
import { bodyFor, callerOf, headersOf, type Visit } from './visit.js';
import { withoutPath } from './without-path.js';

const SERVICE = 'git-receive-pack';
const MAX_PUSH_BYTES = 16 * 1024 ** 3;
/** How long git may go on with a push whose client has disconnected, and then take to remove its objects. */
const TIDYING_MS = 5_000;

/** git's settings for pushes: our hooks decide about them, and move every ref instead of git. */
export const RECEIVE_CONFIG = {
  'core.hooksPath': HOOKS,
  'receive.procReceiveRefs': 'refs',
  'receive.maxInputSize': String(MAX_PUSH_BYTES),
  'receive.advertisePushOptions': 'true',
  ...leniency('receive'),
  'pack.threads': '1', // checking holds a lock: two threads need half as much CPU again, and are no faster
};

/** Serves a push: git receives it, and `conductPush` decides about it. */
export async function receive(visit: Visit, repositoryId: number, caller: Principal): Promise<void> {
  const { ctx, services, writes } = visit;
  const named = new NamedRefs();
  const body = bodyFor(visit, MAX_PUSH_BYTES, named.watch);
  if (ctx.req.headers['content-length'] === String(FLUSH.length)) {
    answerProbe(ctx, await text(body));
    return;
  }
  const args = ['receive-pack', '--stateless-rpc', '.'];
  const options = { config: RECEIVE_CONFIG, channel: true };
  const program = await startReading(body, visit, repositoryId, args, options);
  if (!program.channel) throw new Error('git was given no channel');

  const { requestId, log } = ctx.state;
  const { accountId } = caller;
  const visible = (position: bigint) => writes.settle(accountId, position);
  const pushing = { ...services, visible, forksOf: forksOf({ db: services.db, wrote: visible }) };
  const at = new Date().toISOString();
  const context: CommandContext = { commandId: randomUUID(), at, requestId, ...actingAs(caller) };
  const admission = admissionOf(visit, repositoryId, caller);
  const { ended } = program;
  const push = { repositoryId, pusherId: accountId, named, admission, context, ended };
  const conducted = conductPush(pushing, new Wire(program.channel), push).catch((error: unknown) => {
    log.error({ err: error, repository: repositoryId }, 'a push failed');
  });
  const cleared = ended
    .catch(() => undefined) // however it ended
    .then(() => clearRemains(services, repositoryId))
    .catch((error: unknown) => {
      log.error({ err: error, repository: repositoryId }, 'what a push left of its repository may stay');
    });
  ctx.respond = false;
  const headers = headersOf(SERVICE, 'result');
  const answering = { ...program, stdout: program.stdout.pipe(withoutPath(`${services.git.root}/`)) };
  const exchanged = exchange(answering, ctx.res, { body, headers, graceMs: TIDYING_MS });
  await Promise.all([conducted, exchanged, cleared]);
}

/** Returns a function that signs the caller in again, and finds the repository even if it has been renamed since. */
const admissionOf =
  (visit: Visit, repositoryId: number, caller: Principal): Admission =>
  async () => {
    const { services, request } = visit;
    const met = await admitWhereItIs(services, request, await callerOf(visit));
    if (met.repository.id !== repositoryId) throw new Refused(404, 'the repository is not there any more');
    return { met, pusher: await pusherOf(services.db, met, caller) };
  };

/** Does the same as `admit` for a repository that may have been renamed or transferred meanwhile. */
async function admitWhereItIs(
  services: Services,
  request: GitRequest,
  caller: Caller,
): Promise<RepositoryMet> {
  try {
    return await admit(services, request, caller);
  } catch (error) {
    if (!isMoved(error)) throw error;
    return admitWhereItIs(services, { ...request, ...nameNow(request, error) }, caller);
  }
}

/**
 * Answers the probe, a single flush packet, by which a client that is about to send its pack in chunks finds out whether it
 * may. git's answer to it is empty.
 */
function answerProbe(ctx: Context, asked: string): void {
  if (asked !== FLUSH) throw new Refused(400, 'the body is not of the protocol of git');
  ctx.set(headersOf(SERVICE, 'result'));
  ctx.body = '';
}
