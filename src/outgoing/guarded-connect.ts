import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { localUseOf, NEVER_CALLED } from './address-rules.js';
import { resolver, type Address, type Resolve } from './resolve.js';
import { undici } from './undici.js';

/** Which addresses may be connected to. */
export interface OutgoingRules {
  /** Allows loopback, private networks and other addresses that are not public. */
  readonly allowLocalNetworks: boolean;
  /** Resolves host names; by default as the system does. */
  readonly resolve?: Resolve;
}

/** A connection was refused because its address is not public. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor(
    readonly host: string,
    readonly use: string,
  ) {
    super(`${host} leads to an address that may not be reached (${use})`);
  }
}

/** The time for establishing a connection, including name look-up and TLS. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Creates a connector for undici that reaches public addresses only. A name is resolved once, and the connection uses
 * exactly the addresses that were checked; so neither another notation nor a second answer of a name server evades the
 * check. A name is refused if any of its addresses is.
 */
export function guardedConnector(
  rules: OutgoingRules,
  timeout = CONNECT_TIMEOUT_MS,
): buildConnector.connector {
  // The port comes from each request; only the type requires one here.
  const connect = undici().buildConnector({
    timeout,
    lookup: guardedLookup(rules),
    port: 0,
  });
  return (options, callback) => {
    // An IP address is not looked up, so it is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const refused = isIP(host) === 0 ? undefined : refusalOf(host, [{ address: host }], rules);
    if (refused) callback(refused, null);
    else connect(options, callback);
  };
}

/** Looks names up for connections that may be of any family, as those of `guardedConnector` are. */
function guardedLookup(rules: OutgoingRules): LookupFunction {
  const resolve = rules.resolve ?? resolveBySystem;
  return (hostname, options, callback) => {
    const find = async (): Promise<readonly Address[]> => {
      const addresses = await resolve(hostname);
      const refused = refusalOf(hostname, addresses, rules);
      if (refused) throw refused;
      return addresses;
    };
    void find().then(
      (found) => {
        const [first] = found;
        if (!first) callback(noAddress(hostname), '');
        else if (options.all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, '');
      },
    );
  };
}

function refusalOf(
  host: string,
  addresses: readonly Pick<Address, 'address'>[],
  { allowLocalNetworks }: OutgoingRules,
): AddressRefused | undefined {
  const isRefused = (use: string | undefined) =>
    use !== undefined && (!allowLocalNetworks || NEVER_CALLED.has(use));
  const use = addresses.map(({ address }) => localUseOf(address)).find(isRefused);
  return use === undefined ? undefined : new AddressRefused(host, use);
}

const resolveBySystem = resolver();

const noAddress = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
