import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Addresses of proxies: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export class TrustedProxies {
  readonly #blocks = new BlockList();

  /** Throws where one is neither an address nor a network. */
  constructor(networks: readonly string[]) {
    for (const text of networks) {
      const [, network = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
      const [family, longest] = isIP(network) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
      this.#blocks.addSubnet(network, prefix === undefined ? longest : Number(prefix), family);
    }
  }

  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#blocks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

/** What is looked at of a request. */
export type Requested = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Where a request comes from: the last address that no trusted proxy has. Only what trusted proxies wrote into
 * `X-Forwarded-For` is believed, so that nobody can choose an address for themselves.
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

/** Without a port, brackets, or the prefix of an IPv4 address that IPv6 carries. */
const plain = (text: string): string =>
  text
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');

/** An IPv4 address, or the /64 of an IPv6 address, which is one customer's. */
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

/** Whom a request counts against where each client has a share: its account or, without one, its network. */
export const clientOf = (
  accountId: number | undefined,
  request: Requested,
  proxies: TrustedProxies,
): string => (accountId === undefined ? networkOf(clientAddress(request, proxies)) : `account ${accountId}`);
