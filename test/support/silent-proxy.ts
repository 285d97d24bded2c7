import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a PostgreSQL on which connections can go silent: nothing arrives any more, and nothing is closed. */
export interface SilentProxy {
  readonly url: string;
  /** Silences every connection there is; `andNew` those to come as well. */
  silence(options?: { readonly andNew: boolean }): void;
  /** Connections to come are passed on again. Those that are silent stay so. */
  heal(): void;
  close(): Promise<void>;
}

/** Stands before the database of a URL as `testDatabase` has it. */
export async function silentProxy(url: string): Promise<SilentProxy> {
  const [, database = '', folder = ''] = /@\/([^?]+)\?host=(.+)$/.exec(url) ?? [];
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  };
  const server = createServer((near) => {
    keep(near);
    if (isSilent) return;
    const far = connect(`${folder}/.s.PGSQL.5432`);
    keep(far);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    silence({ andNew } = { andNew: false }) {
      for (const socket of sockets) socket.unpipe().resume().removeAllListeners('end');
      isSilent = andNew;
    },
    heal() {
      isSilent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
