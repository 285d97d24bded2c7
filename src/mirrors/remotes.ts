import { Slots } from '../concurrency/slots.js';
import { isRefName, MAX_REFS } from '../domain/repositories/refs.js';
import { lacksRoom } from '../failures/no-room.js';
import type { Git } from '../git/git.js';
import { GitLimitExceeded, GitRemoteRefused } from '../git/port/errors.js';
import type { RemoteOptions, RemoteRefs } from '../git/port/copies.js';
import type { Staging } from '../git/port/staging.js';
import { Shares } from '../git/shares.js';
import type { Logger } from '../logging/logger.js';
import type { Remote } from '../outgoing/clone-address.js';
import { GitGateway } from '../outgoing/git-gateway.js';
import { guardedAgent } from '../outgoing/guarded-agent.js';
import type { OutgoingRules } from '../outgoing/guarded-connect.js';
import { RemoteFailure, ServerStopped } from '../outgoing/remote-failure.js';

/** The limits of one job; beyond them it fails with a `RemoteFailure`. */
export interface RemoteLimits {
  /** The time of a clone or fetch as a whole, including the wait for its turn. */
  readonly timeoutMs: number;
  /** How many bytes a clone or fetch may receive. */
  readonly maxBytes: bigint;
}

/** What jobs need; `rules` say which addresses may be connected to. */
export interface RemotesOptions {
  readonly git: Pick<Git, 'mirrorClone' | 'fetchMirror'>;
  readonly rules: OutgoingRules;
  readonly limits: RemoteLimits;
  readonly logger: Logger;
}

/** On whose account a job runs, and how its caller follows and ends it. */
export interface Observer {
  /**
   * The account that asked for the job or, if none did, the repository's owner: whoever asks may own any number of
   * organizations. Each account gets at most a third of the places, and scheduled pulls another, so that others find some
   * free, however slow the remotes of one account and of its organizations are.
   */
  readonly accountId: number;
  /** Called with the bytes of packs received so far before git gets the newest of them. An error from it ends the job. */
  readonly onReceived?: (total: bigint) => Promise<void> | undefined;
  /** Ends the job when aborted; the job rejects with its reason. */
  readonly signal?: AbortSignal;
  /** The id of the request that the job is for, which is logged; undefined if it is for none. */
  readonly requestId?: string | undefined;
}

const AT_ONCE = 12;
const OF_ONE_ACCOUNT = 4;
const PROGRESS_MS = 5_000;
/** How long a remote may stay silent. */
const SLOWNESS = { headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000 };

/**
 * Clones and fetches remote repositories by git through a local gateway. Throws `RemoteFailure`, or `ServerStopped`, and
 * leaves nothing behind then; progress is logged.
 */
export class Remotes {
  /** Created for the first job. */
  #dispatcher: ReturnType<typeof guardedAgent> | undefined;
  readonly #shares = new Shares(OF_ONE_ACCOUNT, new Slots(AT_ONCE));
  readonly #closing = new AbortController();

  constructor(private readonly options: RemotesOptions) {}

  /** Creates a repository on disk with those branches and tags of the remote that could be pushed here. */
  clone(remote: Remote, repositoryId: number, observer: Observer): Promise<RemoteRefs> {
    return this.#run('clone', remote, repositoryId, observer, (url, options) =>
      this.options.git.mirrorClone(url, repositoryId, options),
    );
  }

  /** Fetches into a staging area what the remote has and the repository lacks. */
  fetch(
    remote: Remote,
    repositoryId: number,
    observer: Observer,
  ): Promise<RemoteRefs & { readonly staging: Staging }> {
    return this.#run('fetch', remote, repositoryId, observer, (url, options) =>
      this.options.git.fetchMirror(repositoryId, url, options),
    );
  }

  /** Ends the jobs in progress, and those that come later, with `ServerStopped`. */
  async close(): Promise<void> {
    this.#closing.abort(new ServerStopped('the server was stopped meanwhile'));
    await this.#dispatcher?.destroy();
  }

  async #run<T>(
    what: 'clone' | 'fetch',
    remote: Remote,
    repositoryId: number,
    { accountId, onReceived, signal: stopped, requestId }: Observer,
    run: (url: string, options: RemoteOptions) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs, maxBytes } = this.options.limits;
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new RemoteFailure('too-slow', `it took longer than ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const signal = AbortSignal.any([late.signal, this.#closing.signal, ...(stopped ? [stopped] : [])]);
    const progress = this.#progress({ requestId, what, remote: remote.url, repository: repositoryId });
    let giveBack: (() => void) | undefined;
    let gateway: GitGateway | undefined;
    try {
      giveBack = await this.#shares.take(accountId, signal);
      gateway = await GitGateway.open({
        remote,
        dispatcher: (this.#dispatcher ??= guardedAgent(this.options.rules, SLOWNESS)),
        maxBytes,
        signal,
        onReceived: (total) => {
          progress.received(total);
          return onReceived?.(total);
        },
      });
      const { url, credentials } = gateway;
      const result = await run(url, { credentials, accepts: isRefName, maxRefs: MAX_REFS, signal });
      progress.done(gateway.received);
      return result;
    } catch (error) {
      const failure: unknown = signal.aborted ? signal.reason : (gateway?.failure ?? failureOf(error));
      progress.failed(failure, gateway?.received ?? 0n);
      throw failure;
    } finally {
      clearTimeout(timer);
      await gateway?.close();
      giveBack?.();
    }
  }

  /** Logs the progress of one job. */
  #progress(job: Readonly<Record<string, string | number | undefined>>) {
    const log = this.options.logger.child(job);
    const begun = performance.now();
    let told = begun;
    log.info('a remote is read');
    const ms = () => Math.round(performance.now() - begun);
    return {
      received(total: bigint) {
        if (performance.now() - told < PROGRESS_MS) return;
        told = performance.now();
        log.info({ bytes: Number(total), ms: ms() }, 'a remote is being read');
      },
      done(total: bigint) {
        log.info({ bytes: Number(total), ms: ms() }, 'a remote was read');
      },
      failed(failure: unknown, total: bigint) {
        log.warn({ err: failure, bytes: Number(total), ms: ms() }, 'a remote could not be read');
      },
    };
  }
}

/** Translates errors of git to a `RemoteFailure`, unless they are about this server. */
function failureOf(error: unknown): unknown {
  if (error instanceof GitLimitExceeded)
    return error.limit === 'time'
      ? new RemoteFailure('too-slow', 'it took too long', { cause: error })
      : new RemoteFailure('too-large', 'the repository is too large', { cause: error });
  if (error instanceof GitRemoteRefused && !lacksRoom(error))
    return new RemoteFailure('broken', 'what the remote sends is no sound repository', { cause: error });
  return error;
}
