import { isIP } from 'node:net';
import { z } from 'zod';
import { flawOfPostgresUrl } from './database/connection-string.js';
import { checkEmail } from './domain/accounts/email.js';
import { checkAccountName } from './domain/accounts/names.js';
import { checkPassword, isPasswordKind, lackedBy } from './domain/accounts/password.js';
import { DomainError } from './domain/errors.js';
import { flawOfEventStoreUrl } from './event-store/eventstoredb/connection-string.js';
import { TrustedProxies } from './http/authentication/client-address.js';
import { parsedUrl } from './values/parsed-url.js';

/** The minimum severity of log lines, most severe first; `silent` writes none. */
export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const flag = (otherwise: boolean) => z.stringbool({ error: 'must be true or false' }).default(otherwise);

const integer = (least: number, most: number, otherwise: number) => {
  // What is no such integer is not compared with other variables.
  const refused = { error: `must be an integer from ${least} to ${most}`, abort: true };
  return z
    .string()
    .regex(/^\d+$/, refused)
    .transform(Number)
    .pipe(z.number().min(least, refused).max(most, refused))
    .default(otherwise);
};

/**
 * Nothing may follow the path, because paths are appended to it; and it may not begin with two slashes, because redirects
 * to it would lead to another host.
 */
const BASE_URL = /^https?:\/(?:\/[^\s?#@\\/]+)+\/*$/;

const url = (schemes: RegExp, error: string) =>
  z.string().refine((text) => schemes.test(text) && parsedUrl(text.replace(/@\//, '@localhost/')), {
    error,
    abort: true,
  });

/** Makes a check that adds the flaw, if there is one, as an issue. */
const without =
  (flawOf: (text: string) => string | undefined) => (text: string, context: z.RefinementCtx) => {
    const flaw = flawOf(text);
    if (flaw !== undefined) context.addIssue(flaw);
  };

const postgresUrl = url(/^postgres(ql)?:\/\//, 'must be a URL that starts with postgresql://').superRefine(
  without(flawOfPostgresUrl),
);

/** Tells whether a URL consists of scheme and host alone. */
const isPlace = (text: string) => BASE_URL.test(text) && parsedUrl(text)?.pathname === '/';

const list = z
  .string()
  .default('')
  .transform((text) =>
    [...new Set(text.split(',').map((item) => item.trim()))].filter((item) => item !== ''),
  );

const UNITS = ['', 'k', 'm', 'g', 't', 'p', 'e'];
const MAX_INT64 = 2n ** 63n - 1n;

/** Parses a size: `2G` is 2·1000³, `2GiB` is 2·1024³. Returns undefined for an invalid one, or one beyond 64 bits. */
function parseSize(text: string): bigint | undefined {
  const [, digits, unit = '', binary] = /^(\d+)\s*([kmgtpe]?)(i?)b?$/i.exec(text.trim()) ?? [];
  if (digits === undefined || (binary && !unit)) return undefined;
  const size = BigInt(digits) * (binary ? 1024n : 1000n) ** BigInt(UNITS.indexOf(unit.toLowerCase()));
  return size <= MAX_INT64 ? size : undefined;
}

const size = (otherwise: bigint, { unlimited = false } = {}) =>
  z
    .string()
    .default(String(otherwise))
    .transform((text, context) => {
      const bytes = unlimited && text.trim() === '-1' ? -1n : parseSize(text);
      if (bytes !== undefined) return bytes;
      context.addIssue(`must be a number of bytes such as 1048576, 2G or 3GiB${unlimited ? ', or -1' : ''}`);
      return z.NEVER;
    });

const key = z.string().transform((text, context) => {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (bytes.length === 32) return bytes;
  context.addIssue('must be 32 bytes, as 64 hexadecimal digits or in base64');
  return z.NEVER;
});

/** Turns a domain rule, which throws, into a check of whether a value satisfies it. */
const keeps = (rule: (text: string) => void) => (text: string) => {
  try {
    rule(text);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/** The variables of the environment, each by itself: their forms, bounds and defaults. */
export const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535, 3000),
  BASE_URL: url(
    BASE_URL,
    'must be a URL that starts with http:// or https://, without user, query, fragment and empty path segments',
  ).optional(),
  // git takes a line feed for the end of a path, and libgit2 a carriage return too.
  DATA_DIR: z
    .string()
    .regex(/^[^\r\n]*$/, 'must have no line break')
    .optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  EVENTSTORE_URL: z.string().superRefine(without(flawOfEventStoreUrl)).optional(),
  ADMIN_USERNAME: z
    .string()
    .refine(
      keeps(checkAccountName),
      'must be 40 letters and digits at most, with single - _ . between them, and no reserved name',
    )
    .default('root'),
  ADMIN_PASSWORD: z
    .string()
    .refine(
      keeps((text) => checkPassword(text, { minBytes: 0, complexity: [] })),
      'must have 255 characters at most',
    )
    .optional(),
  ADMIN_EMAIL: z.string().refine(keeps(checkEmail), 'must be an e-mail address').default('root@localhost'),
  QUOTA_ENABLED: flag(true),
  QUOTA_DEFAULT_TOTAL: size(-1n, { unlimited: true }),
  QUOTA_DEFAULT_GROUPS: list,
  FORKS_ENABLED: flag(true),
  MIGRATIONS_ENABLED: flag(true),
  MIRRORS_ENABLED: flag(true),
  ALLOW_LOCAL_NETWORKS: flag(false),
  MIGRATION_TIMEOUT: integer(1, 86_400, 600),
  MIGRATION_MAX_SIZE: size(10n * 1024n ** 3n),
  ARCHIVE_CACHE: size(2n * 1024n ** 3n),
  VAULT_KEY: key.optional(),
  REQUIRE_SIGN_IN: flag(false),
  DISABLE_QUERY_TOKENS: flag(false),
  DISABLE_HTTP_GIT: flag(false),
  PASSWORD_MIN_LENGTH: integer(1, 255, 8),
  PASSWORD_COMPLEXITY: list.transform((kinds, context) => {
    if (kinds.length === 1 && kinds[0] === 'off') return [];
    if (kinds.every(isPasswordKind)) return kinds;
    context.addIssue('must be off, or some of lower, upper, digit and spec, separated by commas');
    return z.NEVER;
  }),
  MAX_BODY_SIZE: size(8n * 1024n * 1024n).refine(
    // It is read as one string, of which node makes none of 512 MiB.
    (bytes) => bytes >= 2n ** 10n && bytes <= 511n * 2n ** 20n,
    'must be from 1KiB to 511MiB',
  ),
  MAX_MARKDOWN_SIZE: size(1024n * 1024n).refine((bytes) => bytes <= 2n ** 26n, 'must be 64MiB at most'),
  PAGE_DEFAULT_LIMIT: integer(1, 1000, 30),
  PAGE_MAX_LIMIT: integer(1, 1000, 50),
  CORS_ORIGIN: list.refine(
    (origins) => origins.every((origin) => origin === '*' || parsedUrl(origin)?.origin === origin),
    'must be * or origins such as https://example.org, separated by commas',
  ),
  TRUSTED_PROXIES: list.transform((networks, context) => {
    try {
      return new TrustedProxies(networks);
    } catch {
      context.addIssue('must be addresses or networks such as 10.0.0.0/8, separated by commas');
      return z.NEVER;
    }
  }),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

/**
 * What must hold between variables. Checked separately, because zod skips the refinements of an object with an invalid
 * field, and one message must list every problem.
 */
export const relations = [
  Environment.pick({ HOST: true, BASE_URL: true }).refine(
    ({ HOST, BASE_URL: given }) =>
      isPlace(`http://${authority(HOST, 1)}`) || (given !== undefined && isIP(HOST) !== 0), // fe80::1%eth0
    { path: ['HOST'], error: 'must be an address or a name of this machine that can stand in a URL' },
  ),
  Environment.pick({ DATABASE_URL: true, DATABASE_REPLICA_URL: true }).refine(
    (env) => env.DATABASE_REPLICA_URL === undefined || env.DATABASE_URL !== undefined,
    { path: ['DATABASE_REPLICA_URL'], error: 'needs DATABASE_URL: the embedded PostgreSQL has no replica' },
  ),
  Environment.pick({ ADMIN_PASSWORD: true, PASSWORD_MIN_LENGTH: true }).refine(
    (env) =>
      env.ADMIN_PASSWORD === undefined || Buffer.byteLength(env.ADMIN_PASSWORD) >= env.PASSWORD_MIN_LENGTH,
    { path: ['ADMIN_PASSWORD'], error: 'must have PASSWORD_MIN_LENGTH bytes at least' },
  ),
  Environment.pick({ ADMIN_PASSWORD: true, PASSWORD_COMPLEXITY: true }).refine(
    (env) =>
      env.ADMIN_PASSWORD === undefined || lackedBy(env.ADMIN_PASSWORD, env.PASSWORD_COMPLEXITY).length === 0,
    { path: ['ADMIN_PASSWORD'], error: 'must have a character of each kind that PASSWORD_COMPLEXITY names' },
  ),
  Environment.pick({ PAGE_DEFAULT_LIMIT: true, PAGE_MAX_LIMIT: true }).refine(
    (env) => env.PAGE_DEFAULT_LIMIT <= env.PAGE_MAX_LIMIT,
    { path: ['PAGE_DEFAULT_LIMIT'], error: 'must not be more than PAGE_MAX_LIMIT' },
  ),
];

/** Returns host and port as a URL has them; an IPv6 address is put in brackets. */
export const authority = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`;
