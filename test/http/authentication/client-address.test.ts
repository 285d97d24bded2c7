import { expect } from 'chai';
import { clientAddress, clientOf, TrustedProxies } from '../../../src/http/authentication/client-address.js';

describe('the address of a client', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '2001:db8:7::1']);
  const addressOf = (remoteAddress: string, ...forwarded: readonly string[]) =>
    clientAddress(
      {
        headers: forwarded.length > 0 ? { 'x-forwarded-for': forwarded.join(', ') } : {},
        socket: { remoteAddress },
      },
      proxies,
    );

  it('is where the connection comes from, unless that is a trusted proxy', () => {
    expect(addressOf('203.0.113.9')).to.equal('203.0.113.9');
    expect(addressOf('203.0.113.9', '198.51.100.1')).to.equal('203.0.113.9');
    expect(addressOf('192.0.2.8', '198.51.100.1')).to.equal('192.0.2.8');
    expect(addressOf('::ffff:203.0.113.9')).to.equal('203.0.113.9');
  });

  it('is what the first of the trusted proxies was called from, whatever callers claim', () => {
    expect(addressOf('10.1.2.3', '198.51.100.1')).to.equal('198.51.100.1');
    expect(addressOf('::ffff:10.1.2.3', '1.1.1.1', '198.51.100.1', '192.0.2.7')).to.equal('198.51.100.1');
    expect(addressOf('fd12::1', '2001:db8::5')).to.equal('2001:db8::5');
    expect(addressOf('2001:db8:7::1', '2001:db8:7::2')).to.equal('2001:db8:7::2');
    expect(addressOf('10.1.2.3', '[2001:db8::5]:443')).to.equal('2001:db8::5');
    expect(addressOf('10.1.2.3', '198.51.100.1:5000')).to.equal('198.51.100.1');
  });

  it('is a proxy where no address stands before it', () => {
    expect(addressOf('10.1.2.3')).to.equal('10.1.2.3');
    expect(addressOf('10.1.2.3', 'unknown', '10.9.9.9')).to.equal('10.9.9.9');
    expect(addressOf('10.1.2.3', '')).to.equal('10.1.2.3');
    expect(addressOf('', '198.51.100.1')).to.equal('');
  });

  it('stands for whoever did not sign in, and the account for everybody else', () => {
    const request = { headers: {}, socket: { remoteAddress: '2001:db8::5' } };
    expect(clientOf(undefined, request, proxies)).to.equal('2001:db8:0:0');
    expect(clientOf(7, request, proxies)).to.equal('account 7');
  });

  it('stands for its network of IPv6, however that is written', () => {
    const networks = {
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
      '2001:db8:1:2::': '2001:db8:1:2',
      '2001:db8::2:3:4:5:6': '2001:db8:0:2',
      '2001::2:3:4:5:6:7': '2001:0:2:3',
      '2001:db8::': '2001:db8:0:0',
      '::1': '0:0:0:0',
    };
    for (const [remoteAddress, network] of Object.entries(networks)) {
      const request = { headers: {}, socket: { remoteAddress } };
      expect(clientOf(undefined, request, proxies), remoteAddress).to.equal(network);
    }
  });

  it('trusts addresses and networks, and nothing else', () => {
    for (const network of [
      'proxy',
      '10.0.0.0/33',
      '10.0.0.0/x',
      'fd00::/129',
      '10.0.0.0/8/8',
      '10.0.0',
      '/8',
    ])
      expect(() => new TrustedProxies([network]), network).to.throw();
  });
});
