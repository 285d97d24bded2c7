import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Slots } from '../concurrency/slots.js';

/** An address of a host name; `family` is 4 or 6. */
export type Address = { readonly address: string; readonly family: number };

/** Resolves a host name to all of its addresses; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** How names are looked up; defaults are the system's settings. */
export interface ResolverOptions {
  /** Addresses of name servers, optionally with ports. */
  readonly servers?: readonly string[];
  /** The path of the hosts file, which takes precedence over name servers. */
  readonly hosts?: string;
  /** The look-up by the operating system, with all of its configuration. */
  readonly system?: Resolve;
  /** How long a look-up waits for the system to finish another one; 10,000 ms by default. */
  readonly waitMs?: number;
}

const WITHIN = { timeout: 1_500, tries: 2 };
/** Errors of name servers for names that the system may know nevertheless. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EREFUSED']);

/**
 * Creates a resolver that avoids the system's look-ups. Those occupy one of two threads of the process each, for ten
 * seconds if a server never answers, and would delay the look-ups of others. Only names without a dot, and names unknown
 * to name servers, such as those in a search domain, are left to the system, one of each kind at a time.
 */
export function resolver({
  servers,
  hosts = '/etc/hosts',
  system = (hostname) => dns.lookup(hostname, { all: true }),
  waitMs = 10_000,
}: ResolverOptions = {}): Resolve {
  const plain = new Slots(1);
  const dotted = new Slots(1);
  const bySystem = async (hostname: string) => {
    const slots = hostname.includes('.') ? dotted : plain;
    const giveBack = await slots.take(AbortSignal.timeout(waitMs)).catch(() => {
      throw tooLate(hostname);
    });
    return system(hostname).finally(giveBack);
  };
  return async (hostname) => {
    const noted = await notedIn(hosts, hostname);
    if (noted.length > 0) return noted;
    if (!hostname.includes('.')) return bySystem(hostname);
    const found = await byServers(hostname, servers);
    return found.length > 0 ? found : bySystem(hostname);
  };
}

/** Asks the name servers. Returns no address for an unknown name; rejects if the servers fail or do not answer. */
async function byServers(hostname: string, servers?: readonly string[]): Promise<Address[]> {
  const names = new dns.Resolver(WITHIN); // a new one each time, so that changes of the system's name servers take effect
  if (servers) names.setServers(servers);
  const answers = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected' && !isUnknown(answer.reason));
  if (found.length === 0 && failure?.status === 'rejected') throw failure.reason;
  return found.map(toAddress);
}

/** Returns the addresses of a name in a hosts file (`hosts(5)`). */
async function notedIn(file: string, hostname: string): Promise<Address[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isNamed = names.some((name) => name.toLowerCase() === hostname.toLowerCase());
    return isNamed && isIP(address) !== 0 ? [toAddress(address)] : [];
  });
}

const tooLate = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} cannot be looked up now`), { code: 'ETIMEOUT' });

const isUnknown = (error: unknown) => UNKNOWN.has((error as NodeJS.ErrnoException).code ?? '');

const toAddress = (address: string): Address => ({ address, family: isIP(address) });
