import type Koa from 'koa';
import type { Logger } from '../logger.js';
import type { Caller, Principal } from './caller.js';

/** What middleware learns about a request, in the order it is learned. */
export class RequestState {
  /** The body's bytes, read once; see `readBody`. */
  rawBody: Promise<Buffer> | undefined;
  /** Who signed in, before `sudo`. */
  signedInAs: Principal | undefined;
  /** Who acts. */
  caller: Caller;
  /** The id of the route that answers. */
  operation: string | undefined;
  /** Whether failures are told in the words of searches; see `searchFailure`. */
  searches = false;
  /** Whether a 404 has no body, as where clients ask whether somebody is a member. */
  bareAbsence = false;
  /** What the caller wrote before, or knows of, was waited for in vain. */
  late = false;
  readonly #logger: Logger;
  #log: Logger | undefined;

  constructor(
    readonly requestId: string,
    logger: Logger,
  ) {
    this.#logger = logger;
  }

  /** Writes lines under the request's id; made on first use. */
  get log(): Logger {
    return (this.#log ??= this.#logger.child({ requestId: this.requestId }));
  }
}

/** A request and its answer, with what middleware has noted of it so far. */
export type Context = Koa.ParameterizedContext<RequestState>;
/** A step of every request; the order is in `app.ts`. */
export type Middleware = Koa.Middleware<RequestState>;
