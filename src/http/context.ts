import type Koa from 'koa';
import type { Logger } from '../logging/logger.js';
import type { Caller, Principal } from './caller.js';

/** A path's parameters by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** What the middleware learns about a request, in the order in which it is learned. */
export class RequestState {
  /** The body's bytes, so that they are read once; see `readBody`. */
  rawBody: Promise<Buffer> | undefined;
  /** The account that signed in, before `sudo`. */
  signedInAs: Principal | undefined;
  /** The account that the request acts for. */
  caller: Caller;
  /** The parameters in the path of the route that the request matched, decoded but not yet checked. */
  params: PathParameters = {};
  /** The id of the route that the request matched. */
  operation: string | undefined;
  /** Whether a failure is answered in the format of searches; see `searchFailure`. */
  searches = false;
  /** Whether a 404 has no body, as on routes that ask whether somebody is a member. */
  bareAbsence = false;
  /** Whether the wait for the caller's earlier writes, or for the position it sent, timed out. */
  late = false;
  readonly #logger: Logger;
  #log: Logger | undefined;

  constructor(
    readonly requestId: string,
    logger: Logger,
  ) {
    this.#logger = logger;
  }

  /** The logger that adds the request's id to each line; made on first use. */
  get log(): Logger {
    return (this.#log ??= this.#logger.child({ requestId: this.requestId }));
  }
}

/** A request and its answer, with what the middleware has noted so far. */
export type Context = Koa.ParameterizedContext<RequestState>;
/** A step of every request; `app.ts` gives their order. */
export type Middleware = Koa.Middleware<RequestState>;
