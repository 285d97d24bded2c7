import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** About 23 days, in ms: timers take not much more. */
export const MAX_KEEP_ALIVE_MS = 2_000_000_000;

/** Says what is wrong with the value of an option; undefined if nothing is. */
type Check = (value: string) => string | undefined;

/** Names as the client compares them. */
export const flat = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

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
    readFileSync(decodeURIComponent(value));
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

/** Tells whether the client knows an option. */
export const isOption = (name: string): boolean => OPTIONS.has(flat(name));

/** Returns what is wrong with an option as it stands in a connection string; undefined if nothing is. */
export function flawOfOption(option: string): string | undefined {
  const [, name, value] = /^([^=?]+)=([^?]+)$/.exec(option) ?? [];
  if (name === undefined || value === undefined)
    return 'has options that are not written ?key=value&key=value';
  const check = OPTIONS.get(flat(name));
  if (!check) return `has the option ${name}, which its client does not know`;
  const flaw = check(value);
  return flaw === undefined ? undefined : `has the option ${name}, which ${flaw}`;
}

/** Returns what is wrong with the certificate by which the client signs in, if it has one; undefined if nothing is. */
export function flawOfCertificate(options: ReadonlyMap<string, string>): string | undefined {
  const [certificate, key] = [options.get('usercertfile'), options.get('userkeyfile')];
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    return 'has one of the options userCertFile and userKeyFile without the other';
  try {
    createSecureContext({
      cert: readFileSync(decodeURIComponent(certificate)),
      key: readFileSync(decodeURIComponent(key)),
    });
    return undefined;
  } catch {
    return 'has the options userCertFile and userKeyFile, which name no certificate and its key';
  }
}

/** Tells whether every % begins a character. */
export function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}
