import { resolve } from 'node:path';
import type { PasswordRules } from './domain/accounts/password.js';
import { authority, Environment, relations, type LogLevel } from './environment.js';
import type { TrustedProxies } from './http/authentication/client-address.js';

/** The settings of an operator, validated. Sizes are in bytes. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The prefix of every absolute URL in answers, headers among them: in ASCII, without a trailing slash. */
  readonly baseUrl: string;
  /** An absolute path. */
  readonly dataDir: string;
  /** Undefined for the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A streaming replica of the database, from which GET routes may read; none by default. */
  readonly databaseReplicaUrl: string | undefined;
  /** Undefined if the event log is kept in PostgreSQL. */
  readonly eventStoreUrl: string | undefined;
  /** The first site administrator. Without a password, one is generated and printed once. */
  readonly administrator: {
    readonly username: string;
    readonly password: string | undefined;
    readonly email: string;
  };
  readonly quota: {
    readonly enabled: boolean;
    /** The limit of an account without any quota group; -1 is unlimited. */
    readonly defaultTotal: bigint;
    /** The names of the groups that apply to accounts without a group. */
    readonly defaultGroups: readonly string[];
  };
  /** Which ways of copying other repositories are allowed. */
  readonly copies: { readonly forks: boolean; readonly migrations: boolean; readonly mirrors: boolean };
  readonly allowLocalNetworks: boolean;
  /** The limits of one migration, or one pull of a mirror. */
  readonly migrations: { readonly timeoutSeconds: number; readonly maxBytes: bigint };
  /** The maximum size of cached archives, and of one archive. */
  readonly archiveCacheBytes: bigint;
  /** 32 bytes. Undefined for the key kept in `dataDir`. */
  readonly vaultKey: Buffer | undefined;
  readonly requireSignIn: boolean;
  readonly disableQueryTokens: boolean;
  readonly disableHttpGit: boolean;
  readonly passwordRules: PasswordRules;
  readonly maxBodyBytes: number;
  /** The maximum size of a text to render. */
  readonly maxMarkdownBytes: number;
  readonly page: { readonly defaultLimit: number; readonly maxLimit: number };
  /** The origins from which browsers may read answers; `*` for all, none by default. */
  readonly corsOrigins: readonly string[];
  /** The proxies whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxies: TrustedProxies;
  readonly logLevel: LogLevel;
}

/** The configuration of the supervisor's children and of operators' programs: database and vault key are settled. */
export type ServiceConfig = Config & { readonly databaseUrl: string; readonly vaultKey: Buffer };

/** The environment has invalid settings. The message lists every problem but shows no values, as they may be secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      ['the configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'),
      options,
    );
  }
}

/** The exit status for a `ConfigError`: EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;

/** Returns the absolute path of `DATA_DIR`, also where other variables are not valid. */
export const dataDirOf = ({ DATA_DIR = '' }: NodeJS.ProcessEnv): string =>
  resolve(DATA_DIR === '' ? './data' : DATA_DIR);

/** Reads and validates all variables; an empty one counts as unset. Throws `ConfigError`, also if a required one is unset. */
export function readConfig(env: NodeJS.ProcessEnv, required: readonly string[] = []): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { data, error } = Environment.safeParse(set);
  const issues = [error, ...relations.map((relation) => relation.safeParse(set).error)].flatMap(
    (failure) => failure?.issues ?? [],
  );
  const unset = required.filter((name) => !(name in set)).map((name) => `${name} must be set`);
  const problems = [...issues.map(({ path, message }) => `${path.join('.')} ${message}`), ...unset];
  if (!data || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return {
    host: data.HOST,
    port: data.PORT,
    baseUrl: inAscii(data.BASE_URL ?? `http://${authority(data.HOST, data.PORT)}`).replace(/\/+$/, ''),
    dataDir: dataDirOf(env),
    databaseUrl: data.DATABASE_URL,
    databaseReplicaUrl: data.DATABASE_REPLICA_URL,
    eventStoreUrl: data.EVENTSTORE_URL,
    administrator: { username: data.ADMIN_USERNAME, password: data.ADMIN_PASSWORD, email: data.ADMIN_EMAIL },
    quota: {
      enabled: data.QUOTA_ENABLED,
      defaultTotal: data.QUOTA_DEFAULT_TOTAL,
      defaultGroups: data.QUOTA_DEFAULT_GROUPS,
    },
    copies: {
      forks: data.FORKS_ENABLED,
      migrations: data.MIGRATIONS_ENABLED,
      mirrors: data.MIRRORS_ENABLED,
    },
    allowLocalNetworks: data.ALLOW_LOCAL_NETWORKS,
    migrations: { timeoutSeconds: data.MIGRATION_TIMEOUT, maxBytes: data.MIGRATION_MAX_SIZE },
    archiveCacheBytes: data.ARCHIVE_CACHE,
    vaultKey: data.VAULT_KEY,
    requireSignIn: data.REQUIRE_SIGN_IN,
    disableQueryTokens: data.DISABLE_QUERY_TOKENS,
    disableHttpGit: data.DISABLE_HTTP_GIT,
    passwordRules: { minBytes: data.PASSWORD_MIN_LENGTH, complexity: data.PASSWORD_COMPLEXITY },
    maxBodyBytes: Number(data.MAX_BODY_SIZE),
    maxMarkdownBytes: Number(data.MAX_MARKDOWN_SIZE),
    page: { defaultLimit: data.PAGE_DEFAULT_LIMIT, maxLimit: data.PAGE_MAX_LIMIT },
    corsOrigins: data.CORS_ORIGIN,
    trustedProxies: data.TRUSTED_PROXIES,
    logLevel: data.LOG_LEVEL,
  };
}

/** Writes the name of the host in Punycode, and what else is not ASCII in percent-encoding. */
const inAscii = (url: string) => new URL(url).href;
