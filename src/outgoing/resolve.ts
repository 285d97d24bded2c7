import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Slots } from '../slots.js';

/** An address that a name leads to; `family` is 4 or 6. */
export type Address = { readonly address: string; readonly family: number };

/** All addresses of a host name; rejects where it has none. */
export type Resolve = (hostname: string) => Promise<readonly Address[]>;

/** Where names are looked up; what is left out is the system's own. */
export interface ResolverOptions {
  /** Addresses of name servers, with ports maybe. */
  readonly servers?: readonly string[];
  /** The file of names that goes before them. */
  readonly hosts?: string;
  /** The system's way, with all that it is set up with beside. */
  readonly system?: Resolve;
}

/** Nobody waits longer for the system to be done with another name. */
const WAITING_MS = 10_000;
const WITHIN = { timeout: 1_500, tries: 2 };
/** What a name server says, or the lack of one, of a name that the system may know nevertheless. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EREFUSED']);

/**
 * Looks names up without the system's threads: it has two for all look-ups of a process, each of which a name whose
 * server never answers takes for ten seconds, and nobody else's names would be found meanwhile. Names without a dot, and
 * those that no name server knows, such as in a domain that is searched, are left to the system, one of each at a time.
 */
export function resolver({
  servers,
  hosts = '/etc/hosts',
  system = (hostname) => dns.lookup(hostname, { all: true }),
}: ResolverOptions = {}): Resolve {
  const plain = new Slots(1);
  const dotted = new Slots(1);
  const bySystem = async (hostname: string) => {
    const giveBack = await (hostname.includes('.') ? dotted : plain).take(AbortSignal.timeout(WAITING_MS));
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

/** None where nobody knows any; rejects where the servers fail or say nothing. */
async function byServers(hostname: string, servers?: readonly string[]): Promise<Address[]> {
  const names = new dns.Resolver(WITHIN); // one for each, as it takes up what servers the system has now
  if (servers) names.setServers(servers);
  const answers = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected' && !isUnknown(answer.reason));
  if (found.length === 0 && failure?.status === 'rejected') throw failure.reason;
  return found.map(toAddress);
}

/** What the file says of a name, as `hosts(5)` has it. */
async function notedIn(file: string, hostname: string): Promise<Address[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isNamed = names.some((name) => name.toLowerCase() === hostname.toLowerCase());
    return isNamed && isIP(address) !== 0 ? [toAddress(address)] : [];
  });
}

const isUnknown = (error: unknown) => UNKNOWN.has((error as NodeJS.ErrnoException).code ?? '');

const toAddress = (address: string): Address => ({ address, family: isIP(address) });
