import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The configured proxies, as addresses or networks: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export class TrustedProxies {
  readonly #blocks = new BlockList();

  /** Throws if a text is neither an address nor a network. */
  constructor(networks: readonly string[]) {
    for (const text of networks) {
      const [, network = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
      const [family, longest] = isIP(network) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
      this.#blocks.addSubnet(network, prefix === undefined ? longest : Number(prefix), family);
    }
  }

  /** Tells whether an address is that of a trusted proxy; what is no address is not. */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#blocks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

/** The parts of a request that tell its address. */
export type Requested = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Returns the client's address, which is the last one that is not of a trusted proxy. Only what trusted proxies added to
 * `X-Forwarded-For` counts, so that clients cannot choose their address.
 */
export function clientAddress({ headers, socket }: Requested, proxies: TrustedProxies): string {
  let address = plain(socket.remoteAddress ?? '');
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',');
  while (proxies.has(address)) {
    const before = plain(forwarded.pop()?.trim() ?? '');
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** Removes the port, the brackets, and the prefix of an IPv4 address mapped to IPv6. */
const plain = (text: string): string =>
  text
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');

/** Returns an IPv4 address itself, and the /64 network of an IPv6 address, which belongs to one customer. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...new Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return groups.slice(0, 4).join(':');
}

/** Returns the key that a request counts against where each client has a share: its account or else its network. */
export const clientOf = (
  accountId: number | undefined,
  request: Requested,
  proxies: TrustedProxies,
): string => (accountId === undefined ? networkOf(clientAddress(request, proxies)) : `account ${accountId}`);
