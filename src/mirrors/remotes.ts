import { isRefName, MAX_REFS } from '../domain/repositories/refs.js';
import type { Git } from '../git/git.js';
import { GitLimitExceeded, GitRemoteRefused } from '../git/port/errors.js';
import type { RemoteOptions, RemoteRefs } from '../git/port/copies.js';
import type { Staging } from '../git/port/staging.js';
import { Shares } from '../shares.js';
import type { Logger } from '../logger.js';
import type { Remote } from '../outgoing/clone-address.js';
import { GitGateway } from '../outgoing/git-gateway.js';
import { guardedAgent } from '../outgoing/guarded-agent.js';
import type { OutgoingRules } from '../outgoing/guarded-connect.js';
import { RemoteFailure } from '../outgoing/remote-failure.js';

/** What one job may take: beyond it the job fails with a `RemoteFailure`. */
export interface RemoteLimits {
  /** For one clone or fetch as a whole, the wait for its turn included. */
  readonly timeoutMs: number;
  /** That one may receive. */
  readonly maxBytes: bigint;
}

/** What jobs are done with; `rules` say which addresses they may connect to. */
export interface RemotesOptions {
  readonly git: Pick<Git, 'mirrorClone' | 'fetchMirror'>;
  readonly rules: OutgoingRules;
  readonly limits: RemoteLimits;
  readonly logger: Logger;
}

/** Who looks on while a job runs, and for whom that is. */
export interface Observer {
  /** Each account has half of the places at most: whose remotes are slow leaves some to others. */
  readonly ownerId: number;
  /** Told the bytes received so far, before git gets the newest of them; what it throws ends the job. */
  readonly onReceived?: (total: bigint) => Promise<void> | undefined;
  /** Ends the job; its reason is what the job throws. */
  readonly signal?: AbortSignal;
}

const AT_ONCE = 8;
const OF_ONE_OWNER = 4;
const PROGRESS_MS = 5_000;
/** How long a remote may say nothing. */
const SLOWNESS = { headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000 };

/**
 * What the servers of others have, brought here by git through a gateway of ours. Throws `RemoteFailure`, and leaves
 * nothing behind then; the log says how far it got.
 */
export class Remotes {
  /** Made for the first job. */
  #dispatcher: ReturnType<typeof guardedAgent> | undefined;
  readonly #shares = new Shares(OF_ONE_OWNER, AT_ONCE);
  readonly #closing = new AbortController();

  constructor(private readonly options: RemotesOptions) {}

  /** A new repository on disk, with the branches and tags of the remote that somebody could push here. */
  clone(remote: Remote, repositoryId: number, observer: Observer): Promise<RemoteRefs> {
    return this.#run('clone', remote, repositoryId, observer, (url, options) =>
      this.options.git.mirrorClone(url, repositoryId, options),
    );
  }

  /** What the remote has and the repository has not, staged. */
  fetch(
    remote: Remote,
    repositoryId: number,
    observer: Observer,
  ): Promise<RemoteRefs & { readonly staging: Staging }> {
    return this.#run('fetch', remote, repositoryId, observer, (url, options) =>
      this.options.git.fetchMirror(repositoryId, url, options),
    );
  }

  /** Ends what is under way: it fails as if its time were over. */
  async close(): Promise<void> {
    this.#closing.abort(new RemoteFailure('too-slow', 'the server was stopped meanwhile'));
    await this.#dispatcher?.destroy();
  }

  async #run<T>(
    what: 'clone' | 'fetch',
    remote: Remote,
    repositoryId: number,
    { ownerId, onReceived, signal: stopped }: Observer,
    run: (url: string, options: RemoteOptions) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs, maxBytes } = this.options.limits;
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new RemoteFailure('too-slow', `it took longer than ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const signal = AbortSignal.any([late.signal, this.#closing.signal, ...(stopped ? [stopped] : [])]);
    const progress = this.#progress({ what, remote: remote.url, repository: repositoryId });
    let giveBack: (() => void) | undefined;
    let gateway: GitGateway | undefined;
    try {
      giveBack = await this.#shares.take(ownerId, signal);
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
      const accepted = { accepts: isRefName, maxRefs: MAX_REFS };
      const options = { credentials, allowHttp: true, ...accepted, signal, timeoutMs };
      const result = await run(url, options);
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

  /** Lines of the log for one job. */
  #progress(job: { readonly what: string; readonly remote: string; readonly repository: number }) {
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

/** What git itself found out. */
function failureOf(error: unknown): unknown {
  if (error instanceof GitLimitExceeded)
    return error.limit === 'time'
      ? new RemoteFailure('too-slow', 'it took too long', { cause: error })
      : new RemoteFailure('too-large', 'the repository is too large', { cause: error });
  if (error instanceof GitRemoteRefused)
    return new RemoteFailure('broken', 'what the remote sends is no sound repository', { cause: error });
  return error;
}
