import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';
type Range = readonly [network: string, prefix: number, what: string];

/** What gives credentials of the machine to whoever asks from it. */
const METADATA = 'a metadata service';
const LINK_LOCAL = 'link-local';
const MAPPED_IPV4 = 'a mapped IPv4 address';

// The special-purpose registries of IANA, and special addresses of cloud providers.
const SPECIAL_IPV4: readonly Range[] = [
  ['169.254.169.254', 32, METADATA],
  ['168.63.129.16', 32, METADATA], // Azure's, at an address that looks public
  ['100.100.100.200', 32, METADATA],
  ['192.0.0.192', 32, METADATA],
  ['0.0.0.0', 8, 'this host'],
  ['10.0.0.0', 8, 'a private network'],
  ['100.64.0.0', 10, 'a carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, LINK_LOCAL],
  ['172.16.0.0', 12, 'a private network'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, '6to4 relays'],
  ['192.168.0.0', 16, 'a private network'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

const SPECIAL_IPV6: readonly Range[] = [
  ['fd00:ec2::254', 128, METADATA],
  ['fd00:ec2::23', 128, METADATA],
  ['fd00:42::42', 128, METADATA],
  ['fd20:ce::254', 128, METADATA],
  ['::', 128, 'this host'],
  ['::1', 128, 'loopback'],
  ['64:ff9b::', 96, 'NAT64'],
  ['64:ff9b:1::', 48, 'NAT64'],
  ['100::', 64, 'discard-only'],
  ['2001::', 32, 'Teredo'],
  ['2001:2::', 48, 'benchmarking'],
  ['2001::', 23, 'protocol assignments'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3ffe::', 16, 'reserved'],
  ['3fff::', 20, 'documentation'],
  ['fc00::', 7, 'unique local'],
  ['fe80::', 10, LINK_LOCAL],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
];

/**
 * The uses of addresses that are refused though local networks are allowed: metadata services, the links on which clouds
 * have more of them, and what could stand for these.
 */
export const NEVER_CALLED: ReadonlySet<string> = new Set([
  METADATA,
  LINK_LOCAL,
  MAPPED_IPV4,
  'NAT64',
  '6to4',
  'Teredo',
  'multicast',
]);

const MAPPED = blockOf('::ffff:0:0', 96, 'ipv6');
/** The block of all globally routed IPv6 addresses; future special-purpose addresses outside of it are refused too. */
const GLOBAL_UNICAST = blockOf('2000::', 3, 'ipv6');

const special = [
  ...SPECIAL_IPV4.map(([network, prefix, what]) => ({ what, block: blockOf(network, prefix, 'ipv4') })),
  ...SPECIAL_IPV6.map(([network, prefix, what]) => ({ what, block: blockOf(network, prefix, 'ipv6') })),
];

/**
 * Returns the use of an IP address that is not public, such as `loopback` or `a private network`; undefined for a public
 * address. Text that is no address in the system's notation counts as not public.
 */
export function localUseOf(address: string): string | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return 'no address of the Internet';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  // Mapped addresses would be matched against the IPv4 ranges and could pass; no name should resolve to them.
  if (family === 'ipv6' && MAPPED.check(address, family)) return MAPPED_IPV4;
  const found = special.find(({ block }) => block.check(address, family));
  if (found) return found.what;
  return family === 'ipv6' && !GLOBAL_UNICAST.check(address, family) ? 'reserved' : undefined;
}

function blockOf(network: string, prefix: number, family: Family): BlockList {
  const block = new BlockList();
  block.addSubnet(network, prefix, family);
  return block;
}
