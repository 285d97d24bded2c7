import { expect } from 'chai';
import { request } from 'undici';
import { guardedAgent } from '../../src/outgoing/guarded-agent.js';
import { AddressRefused, type OutgoingRules } from '../../src/outgoing/guarded-connect.js';
import { serve } from '../support/git-server.js';
import { rejection } from '../support/rejection.js';

describe('the guarded agent', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let hits = 0;

  before(async () => {
    server = await serve((incoming, response) => {
      hits += 1;
      if (incoming.url === '/moved') response.writeHead(302, { location: '/' }).end();
      else response.end('hello');
    });
  });
  after(() => server.close());
  beforeEach(() => (hits = 0));

  const ask = async (url: string, rules: OutgoingRules) => {
    const dispatcher = guardedAgent(rules);
    try {
      const { statusCode, body } = await request(url, { dispatcher });
      return { status: statusCode, text: await body.text() };
    } finally {
      await dispatcher.close();
    }
  };
  const on = (host: string) => server.url.replace('127.0.0.1', host);
  const leadingTo =
    (...addresses: string[]) =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  const refused = async (url: string, rules: Partial<OutgoingRules> = {}) => {
    const error = await rejection(ask(url, { allowLocalNetworks: false, ...rules }));
    expect(error, url).instanceOf(AddressRefused);
    expect(hits, url).equals(0);
  };

  it('refuses a local address, however it is written', async () => {
    const written = [
      ...['127.0.0.1', '127.0.0.1.', '127.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0'],
      ...[
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[0:0:0:0:0:0:0:1]',
        '[64:ff9b::7f00:1]',
        '[fe80::1]',
      ],
      ...['１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '%31%32%37.0.0.1'],
    ];
    for (const host of written) await refused(on(host));
  });

  it('refuses metadata services and what may stand for them even where local networks are allowed', async () => {
    for (const host of [
      '169.254.169.254',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '[64:ff9b::a9fe:a9fe]',
      '[2002:a9fe:a9fe::1]',
      ...['169.254.170.2', '[fe80::a9fe:a9fe]', '224.0.0.1'],
    ])
      await refused(on(host), { allowLocalNetworks: true });
    const resolve = leadingTo('127.0.0.1', '169.254.169.254');
    await refused(on('name.test'), { allowLocalNetworks: true, resolve });
  });

  it('refuses a name of this machine, as the system resolves it', async () => {
    for (const host of ['localhost', 'LOCALHOST']) await refused(on(host));
  });

  it('refuses a name where one of its addresses is a local one', async () => {
    await refused(on('both.test'), { resolve: leadingTo('1.1.1.1', '10.0.0.1') });
    await refused(on('both.test'), { resolve: leadingTo('2606:4700::1111', '::ffff:127.0.0.1') });
  });

  it('refuses what a resolver takes for a number, by the address that comes of it', async () => {
    await refused(on('number.test'), { resolve: leadingTo('0x7f.1') });
  });

  it('refuses over TLS too', async () => {
    await refused(on('name.test').replace('http:', 'https:'), { resolve: leadingTo('127.0.0.1') });
    await refused(server.url.replace('http:', 'https:'));
  });

  it('connects to what it judged, and asks for a name once a connection', async () => {
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    expect((await ask(on('once.test'), { allowLocalNetworks: true, resolve })).text).equals('hello');
    expect(asked).equals(1);
  });

  it('reaches local networks where that is allowed', async () => {
    expect((await ask(server.url, { allowLocalNetworks: true })).text).equals('hello');
  });

  it('follows no redirect', async () => {
    expect((await ask(`${server.url}/moved`, { allowLocalNetworks: true })).status).equals(302);
    expect(hits).equals(1);
  });

  it('says so where a name has no address', async () => {
    const error = await rejection(ask(on('none.test'), { allowLocalNetworks: false, resolve: leadingTo() }));
    expect(error).property('code', 'ENOTFOUND');
  });
});
