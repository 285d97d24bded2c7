import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { localUseOf } from './address-rules.js';
import { resolver, type Address, type Resolve } from './resolve.js';
import { undici } from './undici.js';

/** Where connections may go. */
export interface OutgoingRules {
  /** Lets them reach loopback, private networks and the like. */
  readonly allowLocalNetworks: boolean;
  /** The system's by default. */
  readonly resolve?: Resolve;
}

/** A connection was not made, because the address that it would have gone to is no public one. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor(
    readonly host: string,
    readonly use: string,
  ) {
    super(`${host} leads to an address that may not be reached (${use})`);
  }
}

/** To make a connection, name and TLS included. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connections of undici that reach public addresses alone. A name is resolved once and the connection goes to the very
 * addresses that were judged, so no spelling of an address and no second answer of a name server gets around it. One
 * address that may not be reached refuses the name.
 */
export function guardedConnector(
  rules: OutgoingRules,
  timeout = CONNECT_TIMEOUT_MS,
): buildConnector.connector {
  // The port is that of each request; the type alone wants one here.
  const connect = undici().buildConnector({
    timeout,
    lookup: guardedLookup(rules),
    port: 0,
  });
  return (options, callback) => {
    // An address is never looked up.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const refused = isIP(host) === 0 ? undefined : refusalOf(host, [{ address: host }], rules);
    if (refused) callback(refused, null);
    else connect(options, callback);
  };
}

function guardedLookup(rules: OutgoingRules): LookupFunction {
  const resolve = rules.resolve ?? resolveBySystem;
  return (hostname, options, callback) => {
    const find = async (): Promise<readonly Address[]> => {
      const addresses = await resolve(hostname);
      const refused = refusalOf(hostname, addresses, rules);
      if (refused) throw refused;
      const family: unknown = options.family;
      const asked = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0;
      return addresses.filter((found) => asked === 0 || found.family === asked);
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
  if (allowLocalNetworks) return undefined;
  const use = addresses.map(({ address }) => localUseOf(address)).find((found) => found !== undefined);
  return use === undefined ? undefined : new AddressRefused(host, use);
}

const resolveBySystem = resolver();

const noAddress = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
