import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Payload {
  readonly action?: string;
  readonly after?: string;
  readonly issue?: { readonly title: string };
  readonly comment?: { readonly body: string };
  readonly repository?: { readonly id: number };
}

/** What a delivery tells of, in a word and a name: `issue <title>`, `push <commit>`. Undefined for all else. */
function toldBy(event: string, payload: Payload): string | undefined {
  switch (`${event} ${payload.action ?? ''}`.trim()) {
    case 'push':
      return `push ${payload.after ?? ''}`;
    case 'issues opened':
      return `issue ${payload.issue?.title ?? ''}`;
    case 'issue_comment created':
      return `comment ${payload.comment?.body ?? ''}`;
    case 'repository created':
      return `repository ${payload.repository?.id ?? ''}`;
    default:
      return undefined;
  }
}

/** Where the hooks of the site send to. Remembers what it has been told. */
export class HookReceiver {
  readonly told = new Set<string>();
  /** While it fails it answers 503, and what it is told then counts for nothing. */
  fails = false;
  deliveries = 0;
  readonly #server: Server;

  static async open(): Promise<HookReceiver> {
    const receiver = new HookReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#take(request).then((status) => response.writeHead(status).end());
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return 400; // the dispatcher was killed while it sent
    }
    if (this.fails) return 503;
    this.deliveries += 1;
    const payload = JSON.parse(Buffer.concat(chunks).toString()) as Payload;
    const told = toldBy(String(request.headers['x-forgejo-event']), payload);
    if (told !== undefined) this.told.add(told);
    return 200;
  }
}
