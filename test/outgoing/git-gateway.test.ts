import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { request } from 'undici';
import { basicAuthorization } from '../../src/outgoing/basic-authorization.js';
import type { Remote } from '../../src/outgoing/clone-address.js';
import { GitGateway, type GatewayOptions } from '../../src/outgoing/git-gateway.js';
import { guardedAgent, type AgentLimits } from '../../src/outgoing/guarded-agent.js';
import type { OutgoingRules } from '../../src/outgoing/guarded-connect.js';
import { RemoteFailure } from '../../src/outgoing/remote-failure.js';
import { serve, startGitServer, type GitServer } from '../support/git-server.js';
import { output } from '../support/programs.js';
import { NOBODYS_PORT } from '../support/nobodys-port.js';
import { rejection } from '../support/rejection.js';

const MEGABYTE = 1024 * 1024;
const ADVERTISEMENT = '/info/refs?service=git-upload-pack';

type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean;

describe('the gateway of git', () => {
  let server: GitServer;
  let folder: string;

  beforeEach(async () => {
    [server, folder] = await Promise.all([startGitServer(), mkdtemp(join(tmpdir(), 'tallyforge-clone-'))]);
    await server.commit('a/b.git', 'main', 'README.md', 'hello');
  });
  afterEach(async () => {
    await Promise.all([server.stop(), rm(folder, { recursive: true, force: true })]);
  });

  type Given = Partial<GatewayOptions> & {
    readonly remote?: Remote;
    readonly rules?: Partial<OutgoingRules>;
    readonly limits?: AgentLimits;
  };
  const through = async <T>(given: Given, use: (gateway: GitGateway) => Promise<T>): Promise<T> => {
    const { rules, limits, ...options } = given;
    const dispatcher = guardedAgent({ allowLocalNetworks: true, ...rules }, limits);
    const gateway = await GitGateway.open({
      remote: { url: `${server.url}/a/b.git` },
      dispatcher,
      maxBytes: 100n * BigInt(MEGABYTE),
      signal: new AbortController().signal,
      ...options,
    });
    try {
      return await use(gateway);
    } finally {
      await gateway.close();
      await dispatcher.destroy();
    }
  };

  /** Clones with a git that knows the gateway alone; gives the hash of main. */
  const clone = async (gateway: GitGateway): Promise<string> => {
    const env = {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_VALUE_0: `Authorization: ${basicAuthorization(gateway.credentials)}`,
    };
    const path = join(folder, 'copy');
    await output('git', ['clone', '--bare', '--quiet', gateway.url, path], { cwd: folder, env });
    return (await output('git', ['rev-parse', 'main'], { cwd: path, env })).trim();
  };
  const failure = async (given: Given = {}): Promise<RemoteFailure> =>
    through(given, async (gateway) => {
      await rejection(clone(gateway));
      expect(gateway.failure).instanceOf(RemoteFailure);
      return gateway.failure as RemoteFailure;
    });
  const failureReason = async (given: Given = {}) => (await failure(given)).reason;
  const redirecting =
    (location: (request: IncomingMessage) => string): Interceptor =>
    (incoming, response) => {
      if (!incoming.url?.startsWith('/a/b.git/info/refs')) return false;
      response.writeHead(301, { location: location(incoming) }).end();
      return true;
    };

  it('lets git clone, and counts what it gets', async () => {
    const hash = await server.commit('a/b.git', 'main', 'noise', randomBytes(MEGABYTE));
    await through({}, async (gateway) => {
      expect(await clone(gateway)).equals(hash);
      expect(Number(gateway.received)).within(MEGABYTE, 1.1 * MEGABYTE);
      expect(gateway.failure).equals(undefined);
    });
  });

  it('passes on which protocol git speaks', async () => {
    const spoken: unknown[] = [];
    server.intercept(({ headers }) => spoken.push(headers['git-protocol']) === 0);
    await through({}, clone);
    expect(spoken).has.length.above(1);
    expect(new Set(spoken)).deep.equals(new Set(['version=2']));
  });

  it('clones with the credentials, which git never has', async () => {
    server.protect('me', 'p@ss:word');
    const remote = { url: `${server.url}/a/b.git`, credentials: { username: 'me', password: 'p@ss:word' } };
    await through({ remote }, async (gateway) => {
      await clone(gateway);
      const found = await output('grep', ['-r', '-c', 'p@ss', folder], { cwd: folder }).catch(() => 'none');
      expect(found).equals('none');
    });
  });

  it('says that credentials are missing or wrong', async () => {
    server.protect('me', 'right');
    expect(await failureReason()).equals('credentials-refused');
    const remote = { url: `${server.url}/a/b.git`, credentials: { username: 'me', password: 'wrong-one' } };
    const told = await failure({ remote });
    expect(told).property('reason', 'credentials-refused');
    expect(told.message).not.include('wrong-one');
  });

  it('answers nobody without the secret, and nothing but reading', async () => {
    await through({}, async (gateway) => {
      const authorization = basicAuthorization(gateway.credentials);
      const ask = async (method: 'GET' | 'POST', path: string, headers: Record<string, string>) =>
        (await request(new URL(path, gateway.url), { method, headers })).statusCode;
      expect(await ask('GET', ADVERTISEMENT, {})).equals(401);
      expect(await ask('GET', ADVERTISEMENT, { authorization: `${authorization}x` })).equals(401);
      const others = [
        '/',
        '/HEAD',
        '/info/refs',
        '/info/refs?service=git-receive-pack',
        `/x${ADVERTISEMENT}`,
      ];
      for (const path of others) expect(await ask('GET', path, { authorization }), path).equals(404);
      expect(await ask('POST', '/git-receive-pack', { authorization })).equals(404);
      expect(server.requests).deep.equals([]);
      expect(await ask('GET', ADVERTISEMENT, { authorization })).equals(200);
    });
  });

  it('goes on where connections cannot be accepted', async () => {
    const begun = 'http.server.request.start';
    await through({}, async (gateway) => {
      const fail = (message: unknown) => {
        const { request: asked, server: listening } = message as { request: IncomingMessage; server: Server };
        if (gateway.url.endsWith(`:${asked.socket.localPort}/`))
          listening.emit('error', new Error('accept EMFILE'));
      };
      subscribe(begun, fail);
      await clone(gateway).finally(() => unsubscribe(begun, fail));
    });
  });

  it('refuses a local address', async () => {
    const told = await failure({ rules: { allowLocalNetworks: false } });
    expect(told).property('reason', 'address-refused');
    expect(told.message).include('loopback');
    expect(server.requests).deep.equals([]);
  });

  it('says where there is no repository, or something else', async () => {
    expect(await failureReason({ remote: { url: `${server.url}/a/c.git` } })).equals('not-found');
    server.intercept((_, response) => Boolean(response.end('<html>a page</html>')));
    expect(await failureReason()).equals('not-git');
    server.intercept((_, response) => Boolean(response.writeHead(500).end()));
    expect(await failureReason()).equals('broken');
  });

  it('says where a server cannot be reached', async () => {
    const url = `http://127.0.0.1:${NOBODYS_PORT}`;
    expect(await failureReason({ remote: { url } })).equals('unreachable');
    for (const [code, reason] of [
      ['ENOTFOUND', 'unreachable'],
      ['EAI_AGAIN', 'unreachable'],
      ['ETIMEOUT', 'too-slow'],
    ] as const) {
      const rules = { resolve: () => Promise.reject(Object.assign(new Error('no'), { code })) };
      expect(await failureReason({ remote: { url: 'http://gone.test/a' }, rules })).equals(reason);
    }
    const overTls = server.url.replace('http:', 'https:');
    expect(await failureReason({ remote: { url: overTls } })).equals('unreachable');
    server.intercept(({ socket }) => Boolean(socket.end('this is no HTTP')));
    expect(await failureReason()).equals('unreachable');
  });

  describe('redirects', () => {
    it('are followed, and the rest goes where the last one led', async () => {
      const hash = await server.commit('c/d.git', 'main', 'x', 'elsewhere');
      server.intercept(redirecting(({ url = '' }) => url.replace('/a/b.git', '/c/d.git')));
      expect(await through({}, clone)).equals(hash);
      expect(server.requests.filter(({ line }) => line.startsWith('POST /a/b.git'))).deep.equals([]);
    });

    it('are followed a few times and no more', async () => {
      server.intercept(redirecting(({ url = '' }) => url));
      expect(await failureReason()).equals('redirect-refused');
      expect(server.requests).lengthOf(6);
    });

    it('never lead to a local address', async () => {
      const resolve = (host: string) =>
        Promise.resolve([{ address: host === 'safe.test' ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
      // The first hop alone may go to loopback, as if that were the Internet.
      const dispatcher = guardedAgent({ allowLocalNetworks: true, resolve });
      const guarded = guardedAgent({ allowLocalNetworks: false, resolve });
      const first = dispatcher.request.bind(dispatcher);
      const later = guarded.request.bind(guarded);
      guarded.request = ((options: { origin: string }) =>
        options.origin.includes('safe.test') ? first(options as never) : later(options as never)) as never;
      const remote = { url: `${server.url.replace('127.0.0.1', 'safe.test')}/a/b.git` };
      for (const host of ['127.0.0.1', 'inside.test', '[::1]', '169.254.169.254', '2130706433']) {
        server.intercept(redirecting(({ url = '' }) => `http://${host}${url}`));
        expect(await failureReason({ remote, dispatcher: guarded }), host).equals('address-refused');
      }
      await Promise.all([dispatcher.destroy(), guarded.destroy()]);
    });

    it('lead to a repository, over http or https', async () => {
      for (const location of [
        'file:///etc/passwd',
        'ssh://x/a',
        'ftp://x/a',
        '/login',
        'http://',
        '/info/refs',
      ]) {
        server.intercept(redirecting(() => location));
        expect(await failureReason(), location).equals('redirect-refused');
      }
    });

    it('take no credentials to another server', async () => {
      const seen: (string | undefined)[] = [];
      const other = await serve((incoming, response) => {
        seen.push(incoming.headers.authorization);
        response.writeHead(404).end();
      });
      server.intercept(redirecting(({ url = '' }) => other.url.replace('//', '//you:and-yours@') + url));
      const remote = { url: `${server.url}/a/b.git`, credentials: { username: 'me', password: 'secret' } };
      expect(await failureReason({ remote })).equals('not-found');
      expect(seen).deep.equals([undefined]);
      await other.close();
    });

    it('of anything but the first request are refused', async () => {
      server.intercept((incoming, response) => {
        if (incoming.method !== 'POST') return false;
        response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
        return true;
      });
      expect(await failureReason()).equals('broken');
    });
  });

  describe('limits', () => {
    it('more bytes than are allowed end the job', async () => {
      await server.commit('a/b.git', 'main', 'noise', randomBytes(MEGABYTE));
      expect(await failureReason({ maxBytes: BigInt(MEGABYTE / 2) })).equals('too-large');
    });

    it('an answer without end ends with the bytes that are allowed', async () => {
      server.intercept((_, response) => {
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, '0010aaaaaaaaaaaa')));
        };
        response.on('drain', more);
        more();
        return true;
      });
      await through({ maxBytes: BigInt(4 * MEGABYTE) }, async (gateway) => {
        await rejection(clone(gateway));
        expect(Number(gateway.received)).lessThan(5 * MEGABYTE);
      });
    });

    it('whoever is told of the bytes may end the job, before git gets them', async () => {
      const full = new Error('no room');
      await through({ onReceived: () => Promise.reject(full) }, async (gateway) => {
        await rejection(clone(gateway));
        expect(gateway.failure).equals(full);
      });
    });

    it('a server that does not answer, or stops in the middle, is given up', async () => {
      server.intercept(() => true);
      expect(await failureReason({ limits: { headersTimeoutMs: 50 } })).equals('too-slow');
      server.intercept((_, response) => {
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
        return response.write('001e');
      });
      expect(await failureReason({ limits: { bodyTimeoutMs: 50 } })).equals('too-slow');
    });

    it('a server that is given up is so before git can see that its answer ends', async () => {
      server.intercept((_, response) => {
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
        return response.write('001e');
      });
      await through({ limits: { bodyTimeoutMs: 50 } }, async (gateway) => {
        const failures: unknown[] = [];
        const watch = (message: unknown) => {
          const { request: asked, response } = message as Record<'request', IncomingMessage> &
            Record<'response', ServerResponse>;
          if (asked.headers.host !== new URL(gateway.url).host) return;
          const destroy = response.destroy.bind(response);
          response.destroy = (error) => {
            failures.push(gateway.failure);
            return destroy(error);
          };
        };
        subscribe('http.server.request.start', watch);
        await rejection(clone(gateway));
        unsubscribe('http.server.request.start', watch);
        expect(failures[0]).instanceOf(RemoteFailure).with.property('reason', 'too-slow');
      });
    });

    it('a server that breaks off says so', async () => {
      server.intercept((incoming, response) => {
        if (incoming.method !== 'POST') return false;
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
        response.write('00', () => response.destroy()); // the beginning of a length, of which git awaits the rest
        return true;
      });
      expect(await failureReason()).equals('unreachable');
    });

    it('a signal ends the job at once, and is its failure', async () => {
      const stop = new AbortController();
      const reason = new RemoteFailure('too-slow', 'enough');
      server.intercept(() => {
        stop.abort(reason);
        return true;
      });
      expect(await failure({ signal: stop.signal })).equals(reason);
    });

    it('encoded answers, whose size is another one, are refused', async () => {
      server.intercept((_, response) => {
        response.writeHead(200, {
          'content-type': 'application/x-git-upload-pack-advertisement',
          'content-encoding': 'gzip',
        });
        response.end('x');
        return true;
      });
      expect(await failureReason()).equals('not-git');
    });
  });
});
