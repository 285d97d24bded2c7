import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A TCP port of `host` that nobody listens on now, so that `PORT=0` stays the same port when the api starts again. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
