import { expect } from 'chai';
import { MockAgent } from 'undici';
import { basicAuthorization } from '../../src/outgoing/basic-authorization.js';
import { RemoteFailure } from '../../src/outgoing/remote-failure.js';
import { RemoteRepository } from '../../src/outgoing/remote-repository.js';
import { rejection } from '../support/rejection.js';

const ADVERTISEMENT = '/a.git/info/refs?service=git-upload-pack';
const CREDENTIALS = { username: 'me', password: 'secret' };

describe('a remote repository', () => {
  let agent: MockAgent;

  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
  });
  afterEach(() => agent.close());

  const redirecting = (from: string, to: string) => {
    const headers = { location: `${to}${ADVERTISEMENT}` };
    agent.get(from).intercept({ path: ADVERTISEMENT }).reply(301, '', { headers });
  };
  const ask = (origin: string) =>
    new RemoteRepository({ url: `${origin}/a.git`, credentials: CREDENTIALS }, agent).advertisement(
      {},
      new AbortController().signal,
    );
  /** Redirects from one server to another, and gives what the other one is sent as credentials. */
  const credentialsAfter = async (from: string, to: string): Promise<string | undefined> => {
    redirecting(from, to);
    let sent: string | undefined;
    agent
      .get(to)
      .intercept({ path: ADVERTISEMENT })
      .reply((request) => {
        sent = (request.headers as Record<string, string>).authorization;
        const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
        return { statusCode: 200, data: '', responseOptions: { headers } };
      });
    await (await ask(from)).body.toArray();
    return sent;
  };

  it('is sent its credentials where it redirects to https, each at its usual port', async () => {
    const sent = await credentialsAfter('http://example.org', 'https://example.org');
    expect(sent).equals(basicAuthorization(CREDENTIALS));
  });

  it('takes them to no other server', async () => {
    for (const [from, to] of [
      ['http://example.org', 'https://example.com'],
      ['http://example.org', 'http://example.org:8080'],
      ['http://example.org', 'https://example.org:8443'],
      ['http://example.org:8080', 'https://example.org'],
      ['https://example.org', 'https://example.org:8443'],
    ] as const)
      expect(await credentialsAfter(from, to), `${from} to ${to}`).equals(undefined);
  });

  it('redirects from https to nothing else', async () => {
    for (const to of ['http://example.org', 'http://example.com', 'ftp://example.org']) {
      redirecting('https://example.org', to);
      const refused = await rejection(ask('https://example.org'));
      expect(refused, to).instanceOf(RemoteFailure).with.property('reason', 'redirect-refused');
    }
  });

  it('that is gone is not found', async () => {
    agent.get('https://example.org').intercept({ path: ADVERTISEMENT }).reply(410, '');
    expect(await rejection(ask('https://example.org'))).property('reason', 'not-found');
  });
});
