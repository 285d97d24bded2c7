import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { settleRefs } from '../commands/repositories/roll-forward.js';
import type { CommandContext } from '../commands/context.js';
import { DomainError } from '../domain/errors.js';

import { GitRepositoryMissing } from '../git/port/errors.js';
import { leniency } from '../git/port/flaws.js';
import type { ProgramOptions, RunningProgram } from '../git/port/programs.js';
import type { Authenticator } from '../http/authentication/authenticate.js';
import { clientOf } from '../http/authentication/client-address.js';
import { credentialsOf } from '../http/authentication/credentials.js';
import type { Caller, Principal } from '../http/caller.js';
import type { Context, Middleware } from '../http/context.js';
import { checkState } from '../http/middleware/authenticate.js';
import { answerTo, isAbsence } from '../http/middleware/errors.js';
import { mayPass } from '../may-pass.js';
import { isMoved, type Moved } from '../http/moved.js';
import { pusherOf } from '../http/repositories/content/branch-view.js';
import { forksOf } from '../http/repositories/forks-of.js';
import type { RepositoryMet } from '../http/repositories/place.js';
import { queryOf } from '../http/query.js';
import type { RecentWrites } from '../http/recent-writes.js';
import { readModelsLate, Refused } from '../http/refused.js';
import { withoutArrivalLimit } from '../http/server.js';
import type { Services } from '../http/services.js';
import { conductPush } from '../push/conduct.js';
import { HOOKS } from '../push/hooks.js';
import type { Admission } from '../push/judge.js';
import { FLUSH, packet } from '../push/pkt-line.js';
import { Wire } from '../push/wire.js';
import { Shares } from '../shares.js';

import { admit, PushCreatesNothing } from './admit.js';
import { bodyOf, type Pace } from './body.js';
import { exchange } from './exchange.js';
import { gitRequestOf, type GitRequest } from './route.js';

/**
 * What serves git clients; where `pace` is absent, they must send 16 KiB in each half minute. Each account, and each
 * network of who has none, has 32 programs at a time.
 */
export interface GitHttpOptions {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly writes: RecentWrites;
  readonly pace?: Pace;
}

/** With what one request is served. */
type Serving = GitHttpOptions & { readonly shares: Shares };

/** A client that is slower than a modem of old holds nobody up. */
const PACE: Pace = { bytes: 16_384, everyMs: 30_000 };
/** What a clone asks for: hashes, one a line. */
const MAX_WANTS_BYTES = 64 * 1024 * 1024;
const SHARE = 32;
/** A push that is cut off takes its objects away by itself, unless that takes longer. */
const TIDYING_MS = 5_000;
const MAX_PUSH_BYTES = 16 * 1024 ** 3;

const UPLOAD_CONFIG = { 'uploadpack.allowFilter': 'true', 'uploadpack.allowAnySHA1InWant': 'true' };
const RECEIVE_CONFIG = {
  'core.hooksPath': HOOKS,
  'receive.procReceiveRefs': 'refs',
  'receive.maxInputSize': String(MAX_PUSH_BYTES),
  'receive.advertisePushOptions': 'true',
  ...leniency('receive'),
  'pack.threads': '1', // checking holds a lock: two threads take half as much time again, and no less of the clock
};

const NEVER_KEPT = {
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
};

/**
 * git over HTTP at `/{owner}/{repo}[.git]/…`: the smart protocol, with the git program at the other end of the line.
 * Refusals are told in plain text, which git shows. Every other request goes on.
 */
export function gitHttp(options: GitHttpOptions): Middleware {
  const serving = { ...options, shares: new Shares(SHARE) };
  return function gitHttp(ctx, next) {
    const request = gitRequestOf(ctx.method, ctx.path, ctx.search);
    if (!request) return next();
    ctx.state.operation = `${request.service}:${request.step}`;
    return serve(ctx, request, serving).catch((error: unknown) => {
      refuse(ctx, request, error, options.services.config.baseUrl);
    });
  };
}

async function serve(ctx: Context, request: GitRequest, options: Serving): Promise<void> {
  const { services, writes } = options;
  const caller = (ctx.state.caller = ctx.state.signedInAs = await callerOf(ctx, options));
  const late = (await writes.before(caller?.accountId, undefined)) === false;
  const { repository } = await admit(services, request, caller).catch((error: unknown) => {
    const isMissing = error instanceof PushCreatesNothing || isAbsence(error);
    throw late && isMissing ? readModelsLate() : error;
  });
  await exchanged(ctx, request, repository.id, caller, options).catch(async (error: unknown) => {
    if (await services.git.exists(repository.id)) throw error;
    throw new GitRepositoryMissing(repository.id); // deleted meanwhile
  });
}

async function exchanged(
  ctx: Context,
  request: GitRequest,
  id: number,
  caller: Caller,
  options: Serving,
): Promise<void> {
  await settleRefs(options.services, id);
  if (request.step === 'advertise') await advertise(ctx, request, id, options);
  else if (request.service === 'git-upload-pack') await upload(ctx, id, options);
  else if (caller) await receive(ctx, request, id, caller, options);
}

/** As `admit`, of a repository that may have another name by now. */
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

async function callerOf(ctx: Context, { authenticator, services }: GitHttpOptions): Promise<Caller> {
  const credentials = credentialsOf({
    authorization: ctx.req.headers.authorization ?? '',
    parameters: services.config.disableQueryTokens ? undefined : queryOf(ctx),
  });
  const [first] = credentials;
  if (!first) return undefined;
  const signIn = authenticator.recall(first) ?? (await authenticator.signIn(credentials, ctx.req));
  if (signIn) checkState(signIn.state);
  return signIn?.principal;
}

async function advertise(ctx: Context, { service }: GitRequest, id: number, serving: Serving): Promise<void> {
  const config = service === 'git-receive-pack' ? RECEIVE_CONFIG : UPLOAD_CONFIG;
  const args = [service.slice(4), '--stateless-rpc', '--advertise-refs', '.'];
  const program = await start(ctx, serving, id, args, { config });
  ctx.respond = false;
  const headers = { ...NEVER_KEPT, 'Content-Type': `application/x-${service}-advertisement` };
  await exchange(program, ctx.res, { headers, opening: packet(`# service=${service}\n`) + FLUSH });
}

async function upload(ctx: Context, id: number, serving: Serving): Promise<void> {
  const body = bodyFor(ctx, 'git-upload-pack', MAX_WANTS_BYTES, serving.pace);
  const args = ['upload-pack', '--stateless-rpc', '.'];
  const program = await startWith(body, () => start(ctx, serving, id, args, { config: UPLOAD_CONFIG }));
  ctx.respond = false;
  await exchange(program, ctx.res, { body, headers: resultHeaders('git-upload-pack') });
}

async function receive(
  ctx: Context,
  request: GitRequest,
  id: number,
  caller: Principal,
  options: Serving,
): Promise<void> {
  const { services, writes, pace } = options;
  const body = bodyFor(ctx, 'git-receive-pack', MAX_PUSH_BYTES, pace);
  if (ctx.req.headers['content-length'] === String(FLUSH.length)) {
    answerProbe(ctx, await text(body));
    return;
  }
  const admission: Admission = async () => {
    const met = await admitWhereItIs(services, request, await callerOf(ctx, options));
    if (met.repository.id !== id) throw new Refused(404, 'the repository is not there any more');
    return { met, pusher: await pusherOf(services.db, met, caller) };
  };
  const args = ['receive-pack', '--stateless-rpc', '.'];
  const settings = { config: RECEIVE_CONFIG, channel: true };
  const program = await startWith(body, () => start(ctx, options, id, args, settings));
  if (!program.channel) throw new Error('git was given no channel');
  const { requestId, log } = ctx.state;
  const { accountId, name } = caller;
  const at = new Date().toISOString();
  const context: CommandContext = { commandId: randomUUID(), at, requestId, actor: { id: accountId, name } };
  const visible = (position: bigint) => writes.settle(accountId, position);
  const wrote = async (position: bigint) => {
    await visible(position);
  };
  const pushing = { ...services, visible, forksOf: forksOf({ db: services.db, wrote }) };
  const conducted = conductPush(pushing, new Wire(program.channel), {
    repositoryId: id,
    pusherId: accountId,
    admission,
    context,
  }).catch((error: unknown) => {
    log.error({ err: error, repository: id }, 'a push failed');
  });
  ctx.respond = false;
  const headers = resultHeaders('git-receive-pack');
  await Promise.all([conducted, exchange(program, ctx.res, { body, headers, graceMs: TIDYING_MS })]);
}

/** Ahead of a pack that it sends in chunks a client asks with as little as can be whether it may: git says nothing to that. */
function answerProbe(ctx: Context, asked: string): void {
  if (asked !== FLUSH) throw new Refused(400, 'the body is not of the protocol of git');
  ctx.set(resultHeaders('git-receive-pack'));
  ctx.body = '';
}

/** Drops the body where no program comes to read it: it would wait for one, with what has arrived of it, for ever. */
async function startWith(body: Readable, starting: () => Promise<RunningProgram>): Promise<RunningProgram> {
  try {
    return await starting();
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** A program in the share of whoever asks; a client that hangs up no longer waits for its share. */
async function start(
  ctx: Context,
  { services: { git, config }, shares }: Serving,
  id: number,
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
    const program = await git.start(id, args, { ...options, ...protocolOf(ctx) });
    program.ended.then(giveBack, giveBack);
    return program;
  } catch (error) {
    giveBack();
    throw error;
  }
}

function bodyFor(ctx: Context, service: string, maxBytes: number, pace = PACE) {
  if (ctx.get('Content-Type') !== `application/x-${service}-request`)
    throw new Refused(415, `the body must be application/x-${service}-request`);
  withoutArrivalLimit(ctx.req);
  return bodyOf(ctx.req, { maxBytes, pace });
}

const resultHeaders = (service: string) => ({
  ...NEVER_KEPT,
  'Content-Type': `application/x-${service}-result`,
});

/** The version of the protocol that the client speaks, where it says so in words that are safe to hand on. */
function protocolOf(ctx: Context): Pick<ProgramOptions, 'env'> {
  const protocol = ctx.get('Git-Protocol');
  return /^[a-z0-9]+=[a-z0-9]+(:[a-z0-9]+=[a-z0-9]+)*$/i.test(protocol)
    ? { env: { GIT_PROTOCOL: protocol } }
    : {};
}

/** In plain text. A body that nobody reads is not waited for: the connection ends. */
function refuse(ctx: Context, request: GitRequest, error: unknown, baseUrl: string): void {
  ctx.respond = true;
  if (ctx.res.headersSent) return;
  if (isMoved(error)) {
    ctx.redirect(placeOf(request, error, baseUrl));
    ctx.status = 307;
    return;
  }
  const { status, text, headers = {} } = inWords(error);
  if (status >= 500) ctx.state.log.error({ err: error, operation: ctx.state.operation }, 'a request failed');
  if (!ctx.req.complete) ctx.set('Connection', 'close');
  ctx.set(headers);
  ctx.status = status;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = `${text}\n`;
}

function inWords(error: unknown): {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
} {
  if (error instanceof Refused) return { status: error.status, text: error.message, headers: error.headers };
  if (error instanceof GitRepositoryMissing) return { status: 404, text: 'no such repository' };
  if (error instanceof DomainError) return { status: answerTo(error)?.status ?? 500, text: error.message };
  if (mayPass(error)) return { status: 503, text: 'not now, try again', headers: { 'Retry-After': '1' } };
  return { status: 500, text: 'something failed on the server' };
}

const nameNow = ({ repo }: GitRequest, moved: Moved): Pick<GitRequest, 'owner' | 'repo'> =>
  'repo' in moved ? { owner: moved.owner, repo: moved.repo } : { owner: moved.to, repo };

function placeOf(request: GitRequest, moved: Moved, baseUrl: string): string {
  const { owner, repo } = nameNow(request, moved);
  return `${baseUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}.git${request.rest}`;
}
