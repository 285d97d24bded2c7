import type { Api } from '../../src/http/server/api.js';
import { clientOf, type Client, type Credentials } from './client.js';

/** An api over real HTTP at an address of its own. */
export interface RunningApi {
  readonly url: () => string;
  readonly anonymous: Client;
  /** Calls with the password of the site administrator. */
  readonly admin: Client;
  as(credentials: Credentials): Client;
  /** Stops it and starts it again, at another address, on what it stood on. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs an api, which `open` starts. */
export async function runApi(open: () => Promise<Api>, admin: Credentials): Promise<RunningApi> {
  let api = await open();
  let stopped: Promise<void> | undefined;
  const as = (credentials: Credentials) => clientOf(() => api.address, credentials);
  return {
    url: () => api.address,
    anonymous: as({ nobody: true }),
    admin: as(admin),
    as,
    async restart() {
      await (stopped ?? api.stop());
      api = await open();
      stopped = undefined;
    },
    // A test may have stopped it before all are stopped.
    stop: () => (stopped ??= api.stop()),
  };
}
