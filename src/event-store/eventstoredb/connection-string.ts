import { flat, flawOfCertificate, flawOfOption, isDecodable, isOption } from './connection-options.js';

/** A connection string as the client parses it. Not a standard URL, because it may name several nodes. */
const CONNECTION_STRING =
  /^esdb(\+discover)?:\/\/((?<credentials>[^\s:@/]+:[^\s:@/]+)@)?(?<nodes>[^\s/?#@$+!*'();[\]{}|"%~<>=&]+)\/?(\?(?<options>[^\s#]*))?$/;

/** A node of a cluster, and its port. */
const NODE = /^[^:]+(:(?<port>\d+))?$/;
const MAX_PORT = 65_535;

/** What the client takes for credentials, whatever stands in it. */
const BEFORE_AT = /^[^:]+:\/\/([^:]+:[^@]+)@/;

/**
 * Returns what keeps the client from reading a connection string, or would make it ignore or print a part, in words that
 * repeat nothing of it but the name of an option; undefined if nothing does.
 */
export function flawOfEventStoreUrl(connectionString: string): string | undefined {
  if (hasOptionBeforeAt(connectionString))
    return 'has an @ among its options, before which its client takes all for a password: write it as %40';
  const { groups } = CONNECTION_STRING.exec(connectionString) ?? {};
  const { credentials = '', nodes = '', options } = groups ?? {};
  const places = nodes.split(',').map((node) => NODE.exec(node));
  if (!groups || places.includes(null))
    return 'must be like esdb://node1:2113,node2:2113,node3:2113?tls=true, with user:password@ before the nodes if they ask for it';
  if (places.some((place) => !isPort(place?.groups?.port)))
    return `has a port that is not from 1 to ${MAX_PORT}`;
  if (!isDecodable(credentials))
    return 'has a % before its nodes that begins no character of UTF-8: write it as %25';
  for (const option of options?.split('&') ?? []) {
    const flaw = flawOfOption(option);
    if (flaw !== undefined) return flaw;
  }
  return flawOfCertificate(optionsOf(connectionString));
}

// A password may have a ?, but hardly the name of an option behind it.
function hasOptionBeforeAt(connectionString: string): boolean {
  const [, before = ''] = BEFORE_AT.exec(connectionString) ?? [];
  return [...before.matchAll(/\?([^=?&]+)=/g)].some(([, name = '']) => isOption(name));
}

const isPort = (port: string | undefined): boolean =>
  port === undefined || (Number(port) >= 1 && Number(port) <= MAX_PORT);

/** Appends options to a connection string that has no flaw; they replace those of the same names. */
export function withOptions(connectionString: string, options: readonly string[]): string {
  const isFirst = CONNECTION_STRING.exec(connectionString)?.groups?.options === undefined;
  return `${connectionString}${isFirst ? '?' : '&'}${options.join('&')}`;
}

/** The options of a connection string that has no flaw, by their names in small letters, without _ and -. */
export function optionsOf(connectionString: string): ReadonlyMap<string, string> {
  const { options = '' } = CONNECTION_STRING.exec(connectionString)?.groups ?? {};
  return new Map(
    [...options.matchAll(/([^=&]+)=([^&]+)/g)].map(([, name = '', value = '']) => [flat(name), value]),
  );
}
