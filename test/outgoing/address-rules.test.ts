import { expect } from 'chai';
import fc from 'fast-check';
import { localUseOf } from '../../src/outgoing/address-rules.js';

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'this host': ['0.0.0.0', '0.1.2.3', '0.255.255.255', '::', '0:0:0:0:0:0:0:0'],
  loopback: ['127.0.0.1', '127.1.2.3', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  'a private network': [
    ...['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ],
  'a carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  'link-local': ['169.254.0.0', '169.254.255.255', 'fe80::1', 'febf:ffff::1'],
  'a metadata service': [
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd00:42::42',
    'fd20:ce::254',
  ],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '2001:1::1', '2001:20::1', '2001:1ff:ffff::'],
  documentation: [
    ...['192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
    ...['2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1'],
  ],
  AS112: ['192.31.196.0', '192.31.196.255', '192.175.48.0', '192.175.48.255', '2620:4f:8000:ffff::1'],
  AMT: ['192.52.193.0', '192.52.193.255'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1', '2001:2:0:ffff::1'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff02::1', 'ff0e::1', 'ffff::1'],
  reserved: [
    '240.0.0.1',
    '255.255.255.255',
    '4000::1',
    '1::1',
    '200::1',
    '3ffe::1',
    '3ffe:ffff::1',
    '::7f00:1',
    '::8.8.8.8',
  ],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  'discard-only': ['100::1', '100::ffff:ffff:ffff:ffff'],
  Teredo: ['2001::1', '2001:0:ffff::1'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1', '2002:ffff::1'],
  'unique local': ['fc00::1', 'fdff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'a mapped IPv4 address': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:255.255.255.255'],
  'no address of the Internet': [
    '',
    'localhost',
    '0x7f.1',
    '2130706433',
    '127.1',
    'fe80::1%eth0',
    '2606:4700::1%lo',
    '::1]',
  ],
};

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...[
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
  ],
  ...['192.31.195.255', '192.31.197.0', '192.52.192.255', '192.52.194.0', '192.88.98.255', '192.88.100.0'],
  ...['192.167.255.255', '192.169.0.0', '192.175.47.255', '192.175.49.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...[
    '2606:4700::1111',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2a00:1450::1',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2620:4f:7fff::1',
    '2620:4f:8001::1',
    '3ffd::1',
    '2000::1',
  ],
];

describe('address rules', () => {
  for (const [use, addresses] of Object.entries(REFUSED)) {
    it(`refuses ${use}`, () => {
      for (const address of addresses) expect(localUseOf(address), address).equals(use);
    });
  }

  it('lets public addresses through, up to the borders of what is refused', () => {
    for (const address of PUBLIC) expect(localUseOf(address), address).equals(undefined);
  });

  it('refuses each IPv4 address in every IPv6 notation that carries one', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '::ffff:0:'])
          expect(localUseOf(prefix + address), prefix + address).not.equals(undefined);
      }),
    );
  });

  it('decides the same for each way of writing one IPv6 address', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const plain = groups.map((group) => group.toString(16)).join(':');
        const full = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const [, canonical = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${plain}]`).hostname) ?? [];
        expect([localUseOf(full), localUseOf(canonical)]).deep.equals([localUseOf(plain), localUseOf(plain)]);
      }),
    );
  });

  it('refuses all of IPv6 that is not global unicast', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(
          new URL(`http://[${address}]`).hostname.slice(1).split(':')[0]?.padStart(1, '0') ?? '0',
          16,
        );
        if (first < 0x2000 || first > 0x3fff) expect(localUseOf(address)).not.equals(undefined);
      }),
    );
  });
});
