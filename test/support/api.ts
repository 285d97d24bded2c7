import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { readConfig, type Config, type ServiceConfig } from '../../src/config.js';
import { connect, type Connections } from '../../src/connections.js';
import { startApi as openApi, type ApiOptions } from '../../src/http/server/api.js';
import { createLogger } from '../../src/logging/logger.js';
import type { Client, TestAnswer } from './client.js';
import { dataDir } from './data-dir.js';
import { waitOnFor } from './patience.js';
import { pausableProjector } from './pausable-projector.js';
import { ADMIN, administeredDatabase, VAULT_KEY } from './prepared-database.js';
import { runApi, type RunningApi } from './running-api.js';
import { expectTrueReadModels } from './true-read-models.js';

export { ADMIN };
export const PASSWORD = 'correct horse';
export const VERSION = '9.9.9';
/** How long its reads wait for a connection that shows everything, however slow the machine. */
const PATIENT_MS = 60_000;
/** How slowly clients of git may send, unless a test is of that: they are slow where the machine is. */
const PATIENT_PACE = { bytes: 1, everyMs: 3_600_000 };

export interface TestApiOptions extends Pick<ApiOptions, 'loginLimits' | 'gitPace'> {
  readonly config?: Partial<Config>;
  /** A minute where it is not said. */
  readonly readsWithinMs?: number;
  /** Whether its read models are what its log makes of them when it is stopped: true, unless a test spoils them. */
  readonly hasTrueReadModels?: boolean;
}

export interface TestUser extends Client {
  readonly id: number;
  readonly username: string;
}

export interface TestToken extends Client {
  readonly id: number;
  readonly token: string;
}

/** An api with a PostgreSQL database and a projector that nobody else uses. */
export interface TestApi extends RunningApi {
  readonly connections: Connections;
  readonly databaseUrl: string;
  /** Where the repositories lie, in `repositories`. */
  readonly dataDir: string;
  /** For an api in a process of its own, on the same database. */
  readonly environment: Readonly<Record<string, string>>;
  /** What every api of this database has logged so far. */
  logged(): string;
  /** Creates a user who need not change the password, `PASSWORD` unless given. */
  createUser(username: string, fields?: Readonly<Record<string, unknown>>): Promise<TestUser>;
  /** Makes a token of a user with these scopes, and calls with it. */
  createToken(username: string, ...scopes: string[]): Promise<TestToken>;
  /** A second api on the same database, as another process would be. */
  another(options?: TestApiOptions): Promise<RunningApi>;
  /**
   * Resolves when the read models show all that is in the log. Errors do not wait for what they record, nor do answers
   * for what is done beside them: whoever looks at that waits for it.
   */
  shown(): Promise<void>;
  /** Read models stand still until they are resumed; else every api waits until they show what was written. */
  pauseProjector(): Promise<void>;
  resumeProjector(): void;
  /** Stops everything. Rejects if a rebuild of the read models would change a row, which no traffic may bring about. */
  stop(): Promise<void>;
}

const schemas = Object.fromEntries(projections.map((projection) => [projection.name, schemaOf(projection)]));

/** Starts everything an API needs, in this process, with one site administrator. */
export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = await administeredDatabase();
  const data = await dataDir();
  const environment = {
    PORT: '0',
    DATA_DIR: data.path,
    LOG_LEVEL: 'debug',
  };
  const configured = ({ config }: TestApiOptions): ServiceConfig => ({
    ...readConfig(environment),
    ...config,
    databaseUrl: database.url,
    vaultKey: VAULT_KEY,
  });
  const lines: string[] = [];
  const destination = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
  const logger = createLogger({ name: 'test', level: 'debug', destination });

  const config = configured(options);
  const connections = await connect(config, { applicationName: 'test', onError: () => undefined });
  await connections.vault.start();

  const projector = pausableProjector({
    database: { url: database.url, applicationName: 'test-projector', onError: () => undefined },
    source: connections.log,
    projections,
    log: logger,
  });
  const hurry = waitOnFor(
    database.url,
    async (position) => !projector.isPaused() && position <= (await connections.store.lastPosition()),
  );

  const run = (own: TestApiOptions): Promise<RunningApi> => {
    const { loginLimits, gitPace = PATIENT_PACE, readsWithinMs = PATIENT_MS } = own;
    const open = () =>
      openApi({
        config: configured(own),
        logger,
        version: VERSION,
        schemas,
        ...(loginLimits && { loginLimits }),
        gitPace,
        readsWithinMs,
      });
    return runApi(open, ADMIN);
  };
  const main = await run(options);
  const running = [main];
  const shown = async () => {
    const sofar = { 'x-tallyforge-position': String(await connections.store.lastPosition()) };
    let answer: TestAnswer;
    do answer = await main.anonymous.get('/version', sofar);
    while (answer.headers.has('preference-applied'));
  };
  await shown(); // the administrator signs in once the read models know of it

  return {
    ...main,
    connections,
    databaseUrl: database.url,
    dataDir: data.path,
    environment: {
      PORT: '0',
      DATABASE_URL: database.url,
      DATA_DIR: config.dataDir,
      VAULT_KEY: VAULT_KEY.toString('hex'),
      LOG_LEVEL: 'warn',
    },
    logged: () => lines.join(''),
    ...creating(main, lines),
    async another(own = {}) {
      const api = await run({ ...options, ...own });
      running.push(api);
      return api;
    },
    shown,
    pauseProjector: () => projector.pause(),
    resumeProjector: () => projector.resume(),
    async stop() {
      await Promise.all(running.map((api) => api.stop()));
      await projector.pause();
      hurry();
      try {
        if (options.hasTrueReadModels ?? true) await expectTrueReadModels(connections);
      } finally {
        await connections.close();
        await database.drop();
        await data.remove();
      }
    },
  };
}

/** How users and tokens are made. An answer that no test expects is told with what the log, in `lines`, says of it. */
function creating(api: RunningApi, lines: readonly string[]): Pick<TestApi, 'createUser' | 'createToken'> {
  const created = ({ status, text, json }: TestAnswer): unknown => {
    if (status === 201) return json;
    const failures = lines.filter((line) => line.includes('a request failed')).slice(-3);
    throw new Error([`not created: ${status} ${text}`, ...failures].join('\n'));
  };
  return {
    async createUser(username, fields = {}) {
      const password = typeof fields.password === 'string' ? fields.password : PASSWORD;
      const email = `${username}@example.org`;
      const user = { username, email, password, must_change_password: false, ...fields };
      const { id } = created(await api.admin.post('/admin/users', user)) as { id: number };
      return { ...api.as({ username, password }), username, id };
    },
    async createToken(username, ...scopes) {
      const body = { name: `token ${randomBytes(4).toString('hex')}`, scopes };
      const answer = await api.admin.post(`/users/${username}/tokens`, body);
      const { id, sha1: token } = created(answer) as { id: number; sha1: string };
      return { ...api.as({ token }), id, token };
    },
  };
}
