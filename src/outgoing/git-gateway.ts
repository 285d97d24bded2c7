import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { basicAuthorization } from './basic-authorization.js';
import type { Remote, RemoteCredentials } from './clone-address.js';
import { PackMeter } from './pack-meter.js';
import { RemoteFailure } from './remote-failure.js';
import { RemoteRepository } from './remote-repository.js';

/** The options of one job: the remote that git reaches through the gateway, and its limits. */
export interface GatewayOptions {
  readonly remote: Remote;
  /** The dispatcher for requests to the remote, which must check addresses. */
  readonly dispatcher: Dispatcher;
  /** The maximum number of bytes received in all. */
  readonly maxBytes: bigint;
  /** Ends the job when aborted; its reason becomes the job's failure. */
  readonly signal: AbortSignal;
  /** Called with the bytes of packs received so far before git gets the newest of them. An error from it ends the job. */
  readonly onReceived?: (total: bigint) => Promise<void> | undefined;
}

/** The remote's answer to one request; `packs` is absent where it holds none. */
interface Answer {
  readonly contentType: string;
  readonly body: Readable;
  readonly packs?: PackMeter;
}

/**
 * A server on loopback through which the git program reaches one remote for one job. git knows neither the remote's
 * address nor its credentials and opens no other connection: the gateway sends the requests, checks and follows redirects,
 * and counts bytes. It passes on only the two requests for reading a repository, and only with the secret.
 */
export class GitGateway {
  /** The first error that ended the job; git itself only learns that a request failed. */
  failure: unknown;
  received = 0n;
  /** How much of that is packs. */
  #packed = 0n;

  /** The secret that git must send, so that no other program on this machine can use the gateway. */
  readonly credentials: RemoteCredentials = {
    username: 'tallyforge',
    password: randomBytes(24).toString('base64url'),
  };

  readonly #server: Server;
  readonly #remote: RemoteRepository;
  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;

  /** Opens a gateway on any free port of 127.0.0.1. */
  static async open(options: GatewayOptions): Promise<GitGateway> {
    const gateway = new GitGateway(options);
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    gateway.#server.on('error', () => undefined); // a connection that cannot be accepted: git will report the failure
    return gateway;
  }

  private constructor(private readonly options: GatewayOptions) {
    this.#signal = AbortSignal.any([options.signal, this.#ended.signal]);
    this.#remote = new RemoteRepository(options.remote, options.dispatcher);
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  /** The URL that git clones from. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Aborts all requests in progress and stops the server. */
  async close(): Promise<void> {
    this.#ended.abort();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!isSame(request.headers.authorization ?? '', basicAuthorization(this.credentials))) {
        refuse(request, response, 401, { 'WWW-Authenticate': 'Basic realm="gateway"' });
        return;
      }
      const answer = await this.#ask(request);
      if (!answer) {
        refuse(request, response, 404);
        return;
      }
      // At once, because git may end, and be seen to, while the rest of the pipeline is still being closed.
      answer.body.once('error', (error) => {
        this.#failed(error);
      });
      response.writeHead(200, { 'Content-Type': answer.contentType });
      await pipeline(answer.body, this.#meter(answer.packs), response, { signal: this.#signal });
    } catch (error) {
      this.#failed(error);
      if (response.headersSent) response.destroy();
      else refuse(request, response, 502);
    }
  }

  async #ask(request: IncomingMessage): Promise<Answer | undefined> {
    const { method, url, headers } = request;
    const protocol = headers['git-protocol']?.toString();
    const asked = { ...(protocol !== undefined && { 'git-protocol': protocol }) };
    if (method === 'GET' && url === '/info/refs?service=git-upload-pack')
      return await this.#remote.advertisement(asked, this.#signal);
    if (method === 'POST' && url === '/git-upload-pack') {
      const { 'content-encoding': encoding, 'content-length': length } = headers;
      const described = {
        ...asked,
        ...(encoding !== undefined && { 'content-encoding': encoding }),
        ...(length !== undefined && { 'content-length': length }),
      };
      const answer = await this.#remote.uploadPack(described, request, this.#signal);
      return { ...answer, packs: new PackMeter() };
    }
    return undefined;
  }

  #meter(packs?: PackMeter): Transform {
    const { maxBytes, onReceived } = this.options;
    const count = async (chunk: Buffer) => {
      this.received += BigInt(chunk.length);
      if (this.received > maxBytes)
        throw new RemoteFailure(
          'too-large',
          `the repository has more than ${maxBytes} bytes, which is the most`,
        );
      const packed = packs?.count(chunk) ?? 0;
      this.#packed += BigInt(packed);
      if (packed > 0) await onReceived?.(this.#packed);
    };
    const fail = (error: unknown) => (this.failure ??= error);
    return new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        count(chunk).then(
          () => {
            callback(null, chunk);
          },
          (error: unknown) => {
            fail(error); // this error comes from the limit or the callback, not from the remote
            callback(error as Error);
          },
        );
      },
    });
  }

  #failed(error: unknown): void {
    this.failure ??= this.options.signal.aborted ? this.options.signal.reason : this.#toldOf(error);
  }

  /** A connection closed by git is no failure of the job: its caller knows why git ended. */
  #toldOf(error: unknown): unknown {
    const isGitGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    return isGitGone || this.#ended.signal.aborted ? undefined : this.#remote.failureOf(error);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, headers = {}): void {
  request.resume();
  response.writeHead(status, { Connection: 'close', ...headers }).end();
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
