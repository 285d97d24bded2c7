import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HookTarget } from '../../src/webhooks/planned.js';
import { until } from '../support/process.js';

export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the event, for things that happen. */
  readonly n: number;
}

type Answering = (response: ServerResponse, received: Received) => unknown;

/** A server that hooks send to. It notes every request that arrives whole, then answers 200, or as it is told. */
export class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;

  static async open(answer: Answering = (response) => response.end()): Promise<Receiver> {
    const receiver = new Receiver(answer);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  private constructor(answer: Answering) {
    this.#server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        if (body === undefined) return;
        const id = String(request.headers['x-forgejo-delivery']);
        const received = { id, headers: request.headers, body, n: numberIn(body) };
        this.received.push(received);
        answer(response, received);
      });
    });
  }

  get target(): HookTarget {
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/hook`, contentType: 'json' };
  }

  /** The numbers of the events received, each where it came first. */
  get numbers(): number[] {
    return [...new Set(this.received.map(({ n }) => n))];
  }

  /** Resolves when so many requests have come. */
  async has(requests: number): Promise<void> {
    await until(() => this.received.length >= requests);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return undefined; // whoever sent it was killed
  }
  return request.complete ? Buffer.concat(chunks).toString() : undefined;
}

function numberIn(body: string): number {
  try {
    return Number((JSON.parse(body) as { n?: unknown }).n);
  } catch {
    return NaN;
  }
}
