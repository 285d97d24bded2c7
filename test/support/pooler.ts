import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** How a pooler treats connections: as PgBouncer does, which also is told to ignore `options`, or to pool transactions. */
export type Pooling = 'refuses options' | 'drops options' | 'shares a session';

/** A pooler before a PostgreSQL, as much of one as clients need that ask one after the other. */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Stands before the database of a URL as `testDatabase` has it. */
export async function pooler(url: string, pooling: Pooling): Promise<Pooler> {
  const [, database = '', folder = ''] = /@\/([^?]+)\?host=(.+)$/.exec(url) ?? [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket;
  };
  const toServer = (startup: Buffer) => {
    const far = keep(connect(`${folder}/.s.PGSQL.5432`));
    far.write(startup);
    return far;
  };
  let shared: Socket | undefined;
  /** Who asked last, and so is answered. */
  let asker: Socket | undefined;

  const share = (near: Socket, startup: Buffer) => {
    if (shared) near.write(Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]));
    asker = near;
    shared ??= toServer(startup).on('data', (answer) => asker?.write(answer));
    near.on('data', (request) => {
      if (request.toString('latin1', 0, 1) === GOODBYE) return;
      asker = near;
      shared?.write(request);
    });
  };

  const server = createServer((near) => {
    keep(near).once('data', (startup) => {
      if (pooling === 'shares a session') share(near, startup);
      else if (pooling === 'drops options') near.pipe(toServer(withoutOptions(startup))).pipe(near);
      else if (parametersOf(startup).has('options')) near.end(message('E', Buffer.from(REFUSAL)));
      else near.pipe(toServer(startup)).pipe(near);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const GOODBYE = 'X';
const REFUSAL = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
const START_OF_PARAMETERS = 8;

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const message = (type: string, content: Buffer) =>
  Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);

function parametersOf(startup: Buffer): Map<string, string> {
  const words = startup.toString('latin1', START_OF_PARAMETERS).split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; words[at]; at += 2) parameters.set(words[at] ?? '', words[at + 1] ?? '');
  return parameters;
}

function withoutOptions(startup: Buffer): Buffer {
  const kept = [...parametersOf(startup)].filter(([name]) => name !== 'options');
  const parameters = Buffer.from(`${kept.map((pair) => `${pair.join('\0')}\0`).join('')}\0`, 'latin1');
  const version = startup.subarray(4, START_OF_PARAMETERS);
  return Buffer.concat([int32(START_OF_PARAMETERS + parameters.length), version, parameters]);
}
