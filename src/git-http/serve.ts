import { settleRefs } from '../commands/repositories/roll-forward.js';
import { notFound } from '../domain/errors.js';
import { GitRepositoryMissing } from '../git/port/errors.js';
import type { Caller } from '../http/caller.js';
import type { Middleware } from '../http/context.js';
import { isAbsence } from '../http/middleware/errors.js';
import { otherMethod } from '../http/other-method.js';
import { readModelsLate, Refused } from '../http/refused.js';
import { FLUSH, packet } from '../push/pkt-line.js';
import { Shares } from '../git/shares.js';
import { admit, PushCreatesNothing } from './admit.js';
import { exchange } from './exchange.js';
import { receive, RECEIVE_CONFIG } from './receive.js';
import { refuse } from './refusal.js';
import { gitRequestOf, isOfLargeFiles, METHODS } from './route.js';
import { startProgram, startReading } from './start-program.js';
import { bodyFor, callerOf, headersOf, type Visit } from './visit.js';

/** What git clients are served with. */
export type GitHttpOptions = Pick<Visit, 'services' | 'authenticator' | 'writes' | 'pace'>;

/** How many programs each account, and each network of anonymous clients, may have at a time. */
const SHARE = 32;
/** The maximum size of a fetch's request, which lists hashes, one per line. */
const MAX_WANTS_BYTES = 64 * 1024 * 1024;
const UPLOAD_CONFIG = {
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'uploadpackfilter.sparse:oid.allow': 'false', // patterns that somebody pushed may take git hours to match
};

/**
 * Serves git over HTTP at `/{owner}/{repo}[.git]/…`: the smart protocol, spoken by a git program. Refusals are in plain
 * text, which git shows. Git LFS is refused in the form that its client shows. Other requests are passed to the next
 * middleware.
 */
export function gitHttp(options: GitHttpOptions): Middleware {
  const shares = new Shares(SHARE);
  return function gitHttp(ctx, next) {
    const request = gitRequestOf(ctx.path, ctx.search);
    if (isOfLargeFiles(ctx.path)) throw notFound('lfs.absent', 'Git LFS is not served here');
    if (!request) return next();
    const methods = METHODS[request.step];
    if (!methods.includes(ctx.method)) {
      otherMethod(ctx, methods);
      return undefined;
    }
    ctx.state.operation = `${request.service}:${request.step}`;
    return serve({ ...options, ctx, request, shares }).catch((error: unknown) => {
      refuse(ctx, request, error, options.services.config.baseUrl);
    });
  };
}

async function serve(visit: Visit): Promise<void> {
  const { ctx, request, services, writes } = visit;
  if (services.config.disableHttpGit) throw new Refused(403, 'git over HTTP is switched off here');
  const caller = (ctx.state.caller = ctx.state.signedInAs = await callerOf(visit));
  const late = (await writes.before(caller?.accountId)) === false;
  const { repository } = await admit(services, request, caller).catch((error: unknown) => {
    const isMissing = error instanceof PushCreatesNothing || isAbsence(error);
    throw late && isMissing ? readModelsLate() : error;
  });
  await answer(visit, repository.id, caller).catch(async (error: unknown) => {
    if (await services.git.exists(repository.id)) throw error;
    throw new GitRepositoryMissing(repository.id); // deleted meanwhile
  });
}

async function answer(visit: Visit, repositoryId: number, caller: Caller): Promise<void> {
  const { step, service } = visit.request;
  await settleRefs(visit.services, repositoryId);
  if (step === 'advertise') await advertise(visit, repositoryId);
  else if (service === 'git-upload-pack') await upload(visit, repositoryId);
  else if (caller) await receive(visit, repositoryId, caller);
}

async function advertise(visit: Visit, repositoryId: number): Promise<void> {
  const { ctx, request } = visit;
  const { service } = request;
  const config = service === 'git-receive-pack' ? RECEIVE_CONFIG : UPLOAD_CONFIG;
  const args = [service.slice(4), '--stateless-rpc', '--advertise-refs', '.'];
  const program = await startProgram(visit, repositoryId, args, { config });
  ctx.respond = false;
  const opening = packet(`# service=${service}\n`) + FLUSH;
  await exchange(program, ctx.res, { headers: headersOf(service, 'advertisement'), opening });
}

async function upload(visit: Visit, repositoryId: number): Promise<void> {
  const { ctx } = visit;
  const body = bodyFor(visit, MAX_WANTS_BYTES);
  const args = ['upload-pack', '--stateless-rpc', '.'];
  const program = await startReading(body, visit, repositoryId, args, { config: UPLOAD_CONFIG });
  ctx.respond = false;
  await exchange(program, ctx.res, { body, headers: headersOf('git-upload-pack', 'result') });
}
