import type { ClientConfig } from './client.js';

/** Where a database is, and what every session of it has. */
export interface SessionOptions {
  /** A PostgreSQL connection string; a Unix socket as `postgresql://user:pw@/db?host=/dir`. */
  readonly url: string;
  readonly applicationName: string;
  /** Schemas for unqualified names, in order. */
  readonly searchPath?: readonly string[];
  /**
   * How many ms the server may be silent while it owes an answer, before the connection counts as dead. Without it a
   * statement may take as long as it needs.
   */
  readonly silenceMs?: number | undefined;
}

/** The settings of every session, whatever those of the database are. */
const SETTINGS = [
  // The server notices within half a minute that a client has vanished, and releases the locks of its session.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=4',
  'tcp_user_timeout=30000',
  // Times must have one format, because in others days and months could be swapped unnoticed.
  'DateStyle=ISO',
  'TimeZone=UTC',
  // Statements see what was committed while they waited for a lock, such as that of the head of the log.
  'default_transaction_isolation=read\\ committed',
  // The catalogue names types as the code does, and NULL in the text of an array is null.
  'quote_all_identifiers=off',
  'array_nulls=on',
  // Numbers with a fraction, such as the times of events, are written with all their digits.
  'extra_float_digits=1',
  // Sessions that listen, hold a lease or a lock, or wait to be lent, are idle at times.
  'idle_session_timeout=0',
  // Whoever waits for a lock, as for the head of the log, is given up by limits of our own.
  'lock_timeout=0',
];

/** Makes PostgreSQL plan each prepared statement only once, because planning for the values costs more than it gains. */
export const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

/** Returns options for a separate connection (LISTEN, a lease). `settings` are server settings, each as `name=value`. */
export function connectionOptions(
  { url, applicationName, searchPath, silenceMs }: SessionOptions,
  settings: readonly string[] = [GENERIC_PLANS],
): ClientConfig {
  const { connectionString, options } = withoutOptions(url);
  const all = [...SETTINGS, ...settings, ...(searchPath ? [`search_path=${searchPath.join(',')}`] : [])];
  return {
    connectionString,
    application_name: applicationName,
    options: [...options, ...all.map((setting) => `-c ${setting}`)].join(' '),
    silenceMs,
  };
}

/**
 * Splits the options off a URL, and removes the application's name, because pg prefers those to ours. Leaves the rest
 * exactly as it is written, because pg treats URLs with a bare `%` or a space differently.
 */
function withoutOptions(url: string): {
  readonly connectionString: string;
  readonly options: readonly string[];
} {
  const [place = '', query = ''] = url.split(/\?(.*)/s);
  const others = query.split('&').filter((part) => {
    const parameter = new URLSearchParams(part);
    return !parameter.has('options') && !parameter.has('application_name');
  });
  return {
    connectionString: `${place}?${others.join('&')}`,
    options: new URLSearchParams(query).getAll('options'),
  };
}
