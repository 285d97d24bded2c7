import { accessSync, constants } from 'node:fs';

/** About 23 days, in ms: timers take not much more. */
export const MAX_KEEP_ALIVE_MS = 2_000_000_000;

/** A connection string as the client parses it. Not a standard URL, because it may name several nodes. */
const CONNECTION_STRING =
  /^esdb(\+discover)?:\/\/((?<credentials>[^\s:@/]+:[^\s:@/]+)@)?[^\s:,/?#@]+(:\d{1,5})?(,[^\s:,/?#@]+(:\d{1,5})?)*\/?(\?(?<options>[^\s#]*))?$/;

/** Says what is wrong with the value of an option; undefined if nothing is. */
type Check = (value: string) => string | undefined;

/** Names as the client compares them. */
const flat = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const text: Check = (value) => (isDecodable(value) ? undefined : 'has a % that begins no character of UTF-8');
const flag: Check = (value) => (/^(true|false)$/.test(value) ? undefined : 'must be true or false');
const preference: Check = (value) =>
  ['leader', 'follower', 'readonlyreplica', 'random'].includes(flat(value))
    ? undefined
    : 'must be leader, follower, read_only_replica or random';
const wholeNumber: Check = (value) => (/^\d+$/.test(value) ? undefined : 'must be a whole number');
const atLeastOne: Check = (value) => (/^[1-9]\d*$/.test(value) ? undefined : 'must be a whole number from 1');
const keepAlive: Check = (value) =>
  /^[1-9]\d*$/.test(value) && Number(value) <= MAX_KEEP_ALIVE_MS
    ? undefined
    : `must be a whole number from 1 to ${MAX_KEEP_ALIVE_MS}`;
/** Never is -1, or 0. */
const orNever: Check = (value) => (/^(-1|0)$/.test(value) ? undefined : keepAlive(value));
const readableFile: Check = (value) => {
  try {
    accessSync(decodeURIComponent(value), constants.R_OK);
    return undefined;
  } catch {
    return 'names a file that cannot be read';
  }
};
const verified: Check = (value) =>
  value === 'false' ? 'has no effect: name the authority by tlsCAFile' : flag(value);

/**
 * What the client takes. It would print the whole connection string, with the password, where an option is unknown or
 * `tlsVerifyCert` is false.
 */
const OPTIONS: ReadonlyMap<string, Check> = new Map([
  ['tls', flag],
  ['tlsverifycert', verified],
  ['tlscafile', readableFile],
  ['usercertfile', readableFile],
  ['userkeyfile', readableFile],
  ['nodepreference', preference],
  ['connectionname', text],
  ['throwonappendfailure', flag],
  ['maxdiscoverattempts', wholeNumber],
  ['defaultdeadline', atLeastOne],
  ['discoveryinterval', wholeNumber],
  ['gossiptimeout', wholeNumber],
  ['keepaliveinterval', orNever],
  ['keepalivetimeout', keepAlive],
]);

/**
 * Returns what keeps the client from reading a connection string, or would make it ignore or print a part, in words that
 * repeat nothing of it but the name of an option; undefined if nothing does.
 */
export function flawOfEventStoreUrl(connectionString: string): string | undefined {
  const { groups } = CONNECTION_STRING.exec(connectionString) ?? {};
  if (!groups)
    return 'must be like esdb://node1:2113,node2:2113,node3:2113?tls=true, with user:password@ before the nodes if they ask for it';
  const { credentials = '', options } = groups;
  if (!isDecodable(credentials))
    return 'has a % before its nodes that begins no character of UTF-8: write it as %25';
  for (const option of options?.split('&') ?? []) {
    const flaw = flawOfOption(option);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** The options of a connection string that has no flaw, by their names in small letters, without _ and -. */
export function optionsOf(connectionString: string): ReadonlyMap<string, string> {
  const { options = '' } = CONNECTION_STRING.exec(connectionString)?.groups ?? {};
  return new Map(
    [...options.matchAll(/([^=&]+)=([^&]+)/g)].map(([, name = '', value = '']) => [flat(name), value]),
  );
}

function flawOfOption(option: string): string | undefined {
  const [, name, value] = /^([^=?]+)=([^?]+)$/.exec(option) ?? [];
  if (name === undefined || value === undefined)
    return 'has options that are not written ?key=value&key=value';
  const check = OPTIONS.get(flat(name));
  if (!check) return `has the option ${name}, which its client does not know`;
  const flaw = check(value);
  return flaw === undefined ? undefined : `has the option ${name}, which ${flaw}`;
}

function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}
