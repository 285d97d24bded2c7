import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The wire between clients and the stub: a forwarder on a loopback port that can be cut, stopped and held. */
export class StubNetwork {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #frozen = false;
  #port = 0;

  constructor(private readonly target: number) {}

  get port(): number {
    return this.#port;
  }

  /** Listens: on a random port the first time, on the same one afterwards. */
  async open(): Promise<void> {
    const server = createServer((socket) => {
      this.#forward(socket);
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Refuses new connections and resets the present ones, as a killed server does. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = server && once(server, 'close');
    server?.close();
    this.cut();
    await closed;
  }

  /** Resets the present connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on the present connections carry nothing; new ones work. */
  wedge(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  /** No connection, present or new, carries anything until `thaw`. */
  freeze(): void {
    this.#frozen = true;
    this.wedge();
  }

  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #forward(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => undefined); // a reset is what some tests are about
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    if (this.#frozen) this.wedge();
  }
}
