import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.js';
import { closed } from '../support/closed.js';

describe('the protocol', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ config: { maxBodyBytes: 100_000 } });
  });
  after(() => api.stop());

  const rule = (fields: object) => ({ name: `rule ${Math.random()}`, limit: 1, subjects: [], ...fields });

  describe('answers', () => {
    it('carry the standard headers and a request id, on success and failure', async () => {
      for (const path of ['/version', '/absent', '/user']) {
        const { headers } = await api.anonymous.get(path);
        expect(headers.get('x-content-type-options')).to.equal('nosniff');
        expect(headers.get('x-frame-options')).to.equal('SAMEORIGIN');
        expect(headers.get('cache-control')).to.equal('max-age=0, private, must-revalidate, no-transform');
        expect(headers.get('content-type')).to.equal('application/json;charset=utf-8');
        expect(headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
      }
    });

    it('take a request id that is a plain word, and no other', async () => {
      const given = async (id: string) =>
        (await api.anonymous.get('/version', { 'x-request-id': id })).headers.get('x-request-id');
      expect(await given('build-7.a:b')).to.equal('build-7.a:b');
      expect(await given('two words')).to.match(/^[0-9a-f-]{36}$/);
      expect(await given('x'.repeat(129))).to.match(/^[0-9a-f-]{36}$/);
    });

    it('keep 64-bit integers exact in both directions', async () => {
      for (const limit of ['9007199254740993', '9223372036854775807', '-1', '0']) {
        const body = `{"name":"exact ${limit}","limit":${limit},"subjects":[]}`;
        const created = await api.admin.post('/admin/quota/rules', body, {
          'content-type': 'application/json',
        });
        expect(created.status).to.equal(201);
        expect(created.text).to.include(`"limit":${limit}`);
        expect((await api.admin.get(`/admin/quota/rules/exact%20${limit}`)).text).to.match(
          new RegExp(`"limit" ?: ?${limit}\\b`),
        );
      }
    });
  });

  describe('paths', () => {
    for (const path of ['/version/', '//version', '/version///', '/./version'])
      it(`takes ${path} for /version`, async () => {
        expect((await api.anonymous.get(path)).status).to.equal(200);
      });

    it('keep an encoded slash inside a name', async () => {
      expect((await api.admin.post('/admin/quota/rules', rule({ name: 'a/b c+ü' }))).status).to.equal(201);
      const { status, json } = await api.admin.get('/admin/quota/rules/a%2Fb%20c+%C3%BC/');
      expect(status).to.equal(200);
      expect(json).to.include({ name: 'a/b c+ü' });
      expect((await api.admin.get('/admin/quota/rules/a/b%20c+%C3%BC')).status).to.equal(404);
    });

    it('differ in letter case', async () => {
      expect((await api.admin.get('/admin/quota/Rules')).status).to.equal(404);
    });

    it('are 400 where they are badly encoded, and 404 where they hold NUL', async () => {
      for (const path of ['/users/%', '/users/%zz', '/users/%ff%fe', '/users/%c0%af'])
        expect((await api.anonymous.get(path)).status, path).to.equal(400);
      for (const path of [
        '/admin/quota/rules/a%00b',
        '/absent/%00',
        '/%00',
        '/user/keys/%00',
        '/repos/a/b/raw/%00',
      ])
        expect((await api.admin.get(path)).status, path).to.equal(404);
    });

    it('that hold NUL are looked at after who calls, and without a body where other names are', async () => {
      const wrong = api.as({ username: 'root', password: 'wrong' });
      expect((await wrong.get('/users/%00')).status).to.equal(401);
      expect((await api.anonymous.get('/admin/users/%00/quota')).status).to.equal(401);
      expect((await api.anonymous.patch('/user/%00')).status).to.equal(404);
      const { status, text } = await api.anonymous.get('/orgs/nobody/public_members/%00');
      expect([status, text]).to.deep.equal([404, '']);
    });

    it('that are nowhere are 404 with the error body', async () => {
      for (const path of ['/absent', '/admin', '/Version', '/users', '/__proto__', '/constructor/x']) {
        const { status, json } = await api.anonymous.get(path);
        expect(status, path).to.equal(404);
        expect(json).to.have.all.keys('message', 'url', 'errors');
      }
      expect((await fetch(api.url())).status).to.equal(404);
    });
  });

  describe('methods', () => {
    it('that a path has not are 405 with Allow', async () => {
      for (const method of ['POST', 'DELETE', 'PROPFIND', 'REPORT']) {
        const { status, headers, json } = await api.anonymous.send(method, '/version');
        expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
        expect(json).to.have.all.keys('message', 'url');
      }
      const { headers } = await api.admin.put('/admin/quota/rules/x', {});
      expect(headers.get('allow')).to.equal('DELETE, GET, HEAD, OPTIONS, PATCH');
    });

    it('of pages beside the API are those of reading', async () => {
      const system = ['/healthz', '/readyz', '/metrics'];
      const description = [
        '/api/v1/openapi.json',
        '/swagger.v1.json',
        '/api/swagger',
        '/api/swagger/start.js',
      ];
      for (const page of [...system, ...description]) {
        const answers = await Promise.all(
          ['POST', 'DELETE', 'OPTIONS'].map((method) => fetch(new URL(page, api.url()), { method })),
        );
        expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).to.deep.equal(
          [405, 405, 204].map((status) => [status, 'GET, HEAD, OPTIONS']),
        );
        expect(await answers[0]?.json(), page).to.have.all.keys('message', 'url');
      }
    });

    it('of a path with a name in it are not those of a path of these very words', async () => {
      for (const method of ['PATCH', 'DELETE', 'POST']) {
        const { status, headers } = await api.admin.send(method, '/repos/nobody/nothing/issues/comments', {});
        expect([status, headers.get('allow')], method).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      }
    });

    it('HEAD is GET without the body', async () => {
      const [head, get] = [await api.anonymous.send('HEAD', '/version'), await api.anonymous.get('/version')];
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
      expect((await api.anonymous.send('HEAD', '/user')).status).to.equal(401);
      expect((await api.anonymous.send('HEAD', '/absent')).status).to.equal(404);
    });

    it('OPTIONS tells what a path allows', async () => {
      const { status, headers, text } = await api.anonymous.send('OPTIONS', '/user');
      expect([status, headers.get('allow'), text]).to.deep.equal([204, 'GET, HEAD, OPTIONS', '']);
      expect((await api.anonymous.send('OPTIONS', '/absent')).status).to.equal(404);
    });
  });

  describe('queries', () => {
    it('count the first of parameters given twice, and know no special names', async () => {
      await api.createUser('lister');
      for (let index = 0; index < 3; index++) await api.createToken('lister', 'all');
      const listed = await api.admin.get('/users/lister/tokens?limit=1&limit=50&__proto__=1&constructor=2');
      expect((listed.json as unknown[]).length).to.equal(1);
    });

    it('are 422 with NUL in a text that is read, which is named, after everything that comes before', async () => {
      const { status, message } = await api.admin.get('/user/keys?fingerprint=a%00b');
      expect([status, message]).to.deep.equal([
        422,
        '[Fingerprint]: must not hold NUL or unpaired surrogates',
      ]);
      expect((await api.anonymous.get('/user/keys?fingerprint=%00')).status).to.equal(401);
      expect((await api.admin.get('/orgs/nobody/teams/search?q=%00')).status).to.equal(404);
      expect((await api.admin.get('/user/keys?page=%00&unknown=%00')).status).to.equal(200);
      expect((await api.admin.get('/user?sudo=%00')).status).to.equal(404);
      expect((await api.anonymous.get('/version?token=%00')).status).to.equal(401);
      expect((await api.admin.patch('/user/settings?full_name=%00')).status).to.equal(422);
    });

    it('that are badly encoded count as they stand', async () => {
      expect((await api.anonymous.get('/version?a=%zz&b=%ff')).status).to.equal(200);
    });
  });

  describe('bodies', () => {
    const post = (body: string | Uint8Array, type?: string) =>
      api.admin.post('/admin/quota/rules', body, type === undefined ? {} : { 'content-type': type });
    const text = () => JSON.stringify(rule({}));

    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'text/json',
      'application/vnd.x+json',
      'APPLICATION/JSON',
    ])
      it(`are JSON as ${type}`, async () => {
        expect((await post(text(), type)).status).to.equal(201);
      });

    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])
      it(`are 422 as ${type}`, async () => {
        expect((await post(text(), type)).status).to.equal(422);
      });

    it('are 422 without a type', async () => {
      expect((await post(Buffer.from(text()))).status).to.equal(422);
    });

    it('that are not there in a PATCH without a type leave the fields to the query', async () => {
      const { name } = (await post(text(), 'application/json')).json as { name: string };
      const { json } = await api.admin.patch(`/admin/quota/rules/${encodeURIComponent(name)}?limit=77`);
      expect(json).to.include({ limit: 77 });
    });

    describe('as forms of several parts', () => {
      const BOUNDARY = '----b';
      const type = `multipart/form-data; boundary=${BOUNDARY}`;
      const part = (name: string, value: string, more = '') =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
      const end = `--${BOUNDARY}--\r\n`;

      it('are fields as other forms are', async () => {
        const parts = [part('name', 'of parts é'), part('limit', '9007199254740993')];
        const lists = [part('subjects', 'size:all'), part('subjects', 'size:git:all'), part('other', 'x')];
        const { status, text: created } = await post([...parts, ...lists, end].join(''), type);
        expect(status).to.equal(201);
        expect(created).to.include('9007199254740993').and.include('of parts é').and.include('size:git:all');
      });

      it('may name fields without quotation marks, as .NET does', async () => {
        const parts = [part('name', 'unquoted'), part('limit', '5'), part('subjects', 'size:all'), end];
        const { status } = await post(parts.join('').replace(/name="(\w+)"/g, 'name=$1'), type);
        expect(status).to.equal(201);
      });

      it('may have a boundary in quotation marks, and blanks after it', async () => {
        const parts = [part('name', 'quoted'), part('limit', '5'), part('subjects', 'size:all'), end];
        const padded = parts.join('').replaceAll(`--${BOUNDARY}\r\n`, `--${BOUNDARY} \t\r\n`);
        expect((await post(padded, `multipart/form-data; boundary="${BOUNDARY}"`)).status).to.equal(201);
      });

      it('have no fields in files', async () => {
        for (const named of ['filename="name"', `filename*=UTF-8''name`]) {
          const { status, message } = await post(part('name', 'x', `; ${named}`) + end, type);
          expect([status, message]).to.deep.equal([422, '[Name]: Required']);
        }
      });

      for (const [what, body, sent] of [
        ['end too early', part('name', 'x'), type],
        ['are none', '{"name":"x"}', type],
        ['have no boundary', part('name', 'x') + end, 'multipart/form-data'],
        ['hold NUL', part('name', 'x\0y') + end, type],
      ] as const)
        it(`are 422 where they ${what}`, async () => {
          expect((await post(body, sent)).status).to.equal(422);
        });
    });

    for (const body of ['', '{}', 'null', ' null '])
      it(`"${body}" has no fields`, async () => {
        const { status, message } = await post(body, 'application/json');
        expect([status, message]).to.deep.equal([422, '[Name]: Required']);
      });

    for (const body of [
      '{',
      '[',
      '"',
      '{"name":}',
      '{"a":1,}',
      "{'a':1}",
      '\u0000',
      'NaN',
      '{"limit":9007199254740993',
    ])
      it(`${JSON.stringify(body)} is 422`, async () => {
        expect((await post(body, 'application/json')).status).to.equal(422);
      });

    for (const body of ['[]', '1', '"text"', 'true', '[{"name":"x","limit":1,"subjects":[]}]'])
      it(`${body} is 422, being no object`, async () => {
        expect((await post(body, 'application/json')).status).to.equal(422);
      });

    it('that are not UTF-8 are 422', async () => {
      const bytes = Buffer.concat([
        Buffer.from('{"name":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('","limit":1,"subjects":[]}'),
      ]);
      expect((await post(bytes, 'application/json')).status).to.equal(422);
    });

    it('that nest deep are 422, with and without long integers or NUL, and the server lives', async () => {
      for (const inner of ['1', '12345678901234567890', '"\\u0000"'])
        for (const [open, shut] of [
          ['[', ']'],
          ['{"a":', '}'],
        ] as const) {
          const deep = open.repeat(10_000) + inner + shut.repeat(10_000);
          expect((await post(deep, 'application/json')).status).to.equal(422);
          const hidden = `{"name":"deep ${Math.random()}","limit":1,"subjects":[],"more":${deep}}`;
          expect((await post(hidden, 'application/json')).status).to.be.oneOf([201, 422]);
        }
      expect((await api.anonymous.get('/version')).status).to.equal(200);
    });

    it('that nest in more levels than Go reads are 422, and brackets in texts are none', async () => {
      const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
      const render = (more: string) =>
        api.anonymous.post('/markdown', `{"more":${more},"text":"shown"}`, {
          'content-type': 'application/json',
        });
      expect((await render(deep(9_999))).status).to.equal(200);
      const refused = await render(deep(10_000));
      expect([refused.status, refused.message]).to.deep.equal([
        422,
        'the body is nested in over 10000 levels',
      ]);
      for (const text of ['[', '\\"{', '{\\\\'])
        expect((await render(`"${text.repeat(12_000)}"`)).status).to.equal(200);
    });

    it('that nest in thousands of levels are read with long digits too, and none of these is rounded', async () => {
      const rule = (limit: string) =>
        `{"name":"deep","limit":${limit},"subjects":[],"x":${'['.repeat(9_000)}"9007199254740993"${']'.repeat(9_000)}}`;
      const rounded = await post(rule('9007199254740993'), 'application/json');
      expect([rounded.status, rounded.message]).to.deep.equal([422, '[Limit]: must be an integer']);
      const { status, text } = await post(rule('7'), 'application/json');
      expect([status, text]).to.deep.equal([201, '{"name":"deep","limit":7,"subjects":[]}']);
    });

    it('with a key twice count the last, with and without long integers', async () => {
      for (const limit of ['7', '9007199254740993']) {
        const twice = `{"name":"first ${limit}","name":"last ${limit}","limit":1,"limit":${limit},"subjects":[]}`;
        const { status, text } = await post(twice, 'application/json');
        expect([status, text]).to.deep.equal([
          201,
          `{"name":"last ${limit}","limit":${limit},"subjects":[]}`,
        ]);
      }
    });

    it('with a number of very many digits are 422', async () => {
      for (const limit of ['9'.repeat(50), `-${'9'.repeat(90_000)}`])
        expect(
          (await post(`{"name":"digits","limit":${limit},"subjects":[]}`, 'application/json')).message,
        ).to.match(/^\[Limit\]: must/);
    });

    it('with keys of prototypes set no prototype', async () => {
      for (const limit of ['7', '9007199254740993']) {
        const inherited = `{"name":"p","subjects":[],"__proto__":{"limit":${limit}},"constructor":{"prototype":{"limit":1}}}`;
        const { status, message } = await post(inherited, 'application/json');
        expect([status, message]).to.deep.equal([422, '[Limit]: Required']);
      }
      expect(({} as { limit?: unknown }).limit).to.equal(undefined);
    });

    it('over the cap are 413 with the error body, whether announced or not', async () => {
      const { status, json } = await post(' '.repeat(100_001), 'application/json');
      expect(status).to.equal(413);
      expect(json).to.have.all.keys('message', 'url');
      const chunks = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let sent = 0; sent < 3; sent++) controller.enqueue(new Uint8Array(50_000).fill(32));
          controller.close();
        },
      });
      const { authorization } = {
        authorization: `Basic ${Buffer.from('root:a good password').toString('base64')}`,
      };
      const streamed = await fetch(`${api.url()}/api/v1/admin/quota/rules`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: chunks,
        duplex: 'half',
      });
      expect(streamed.status).to.equal(413);
    });

    it('far over the cap are 413 to a client that sends all before it reads, which may go on', async () => {
      const { port, hostname } = new URL(api.url());
      const socket = connect(Number(port), hostname);
      const bytes = 20_000_000;
      const authorization = `Basic ${Buffer.from('root:a good password').toString('base64')}`;
      const sent = new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(
          `POST /api/v1/admin/quota/rules HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
        );
        socket.write(Buffer.alloc(bytes, ' '), () => {
          resolve();
        });
      });
      await sent;
      socket.write('GET /api/v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let answers = '';
      for await (const chunk of socket.setEncoding('utf8')) answers += String(chunk);
      expect(answers).to.match(/^HTTP\/1.1 413 .*HTTP\/1.1 200 /s);
    });

    it('over the cap are refused before a client that waits to be told has sent them', async () => {
      const { port, hostname } = new URL(api.url());
      const socket = connect(Number(port), hostname).setEncoding('utf8');
      socket.write(
        'POST /api/v1/markdown/raw HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n' +
          'Content-Length: 100001\r\nExpect: 100-continue\r\n\r\n',
      );
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).to.match(/^HTTP\/1.1 413 .*Connection: close/s);
    });

    it('are not read before the caller may call: 401 and 403 come first', async () => {
      expect((await api.anonymous.post('/admin/quota/rules', '{')).status).to.equal(401);
      expect(
        (await api.admin.patch('/admin/quota/rules/absent', '{', { 'content-type': 'application/json' }))
          .status,
      ).to.equal(404);
    });

    it('of PATCH without a type are the parameters of the query', async () => {
      const { json } = await api.admin.post('/admin/quota/rules', rule({ name: 'patched' }));
      expect(json).to.include({ limit: 1 });
      const patched = await api.admin.patch('/admin/quota/rules/patched?limit=5', Buffer.from('ignored'));
      expect([patched.status, (patched.json as { limit: number }).limit]).to.deep.equal([200, 5]);
    });
  });

  describe('what is not HTTP', () => {
    const talk = async (text: string): Promise<string> => {
      const { port, hostname } = new URL(api.url());
      const socket: Socket = connect(Number(port), hostname);
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      socket.on('error', () => undefined);
      socket.write(text);
      await closed(socket);
      return answer;
    };

    it('is 400, and too many headers are 431, in JSON', async () => {
      expect(await talk('nonsense\r\n\r\n')).to.match(/^HTTP\/1.1 400 .*"message"/s);
      const huge = `GET /api/v1/version HTTP/1.1\r\nHost: x\r\nX-Huge: ${'x'.repeat(20_000)}\r\n\r\n`;
      expect(await talk(huge)).to.match(/^HTTP\/1.1 431 .*"message"/s);
    });

    it('or lacks what HTTP asks for is refused in JSON, too', async () => {
      const hostless = await talk('GET /api/v1/version HTTP/1.1\r\n\r\n');
      expect(hostless).to.match(/^HTTP\/1.1 400 .*application\/json.*"message"/s);
      const twoHosts = await talk('GET /api/v1/version HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n');
      expect(twoHosts).to.match(/^HTTP\/1.1 400 .*application\/json.*"message"/s);
      const expecting = await talk('GET /api/v1/version HTTP/1.1\r\nHost: x\r\nExpect: the best\r\n\r\n');
      expect(expecting).to.match(/^HTTP\/1.1 417 .*application\/json.*"message"/s);
      expect(await talk('GET /api/v1/version HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1.1 200 /);
    });

    it('is answered with the standard headers as well', async () => {
      const standard =
        /nosniff\r\nCache-Control: max-age=0, private, must-revalidate, no-transform\r\nX-Frame-Options: SAMEORIGIN\r\n/;
      expect(await talk('nonsense\r\n\r\n')).to.match(standard);
      expect(await talk('GET /api/v1/version HTTP/1.1\r\n\r\n')).to.match(standard);
    });

    it('does not let headers get lost, however many come', async () => {
      const many = 'a:\r\n'.repeat(2_100);
      const last = `Authorization: token ${'a'.repeat(40)}\r\nConnection: close\r\n\r\n`;
      const answer = await talk(`GET /api/v1/version HTTP/1.1\r\nHost: x\r\n${many}${last}`);
      expect(answer).to.match(/^HTTP\/1.1 401 /);
    });

    it('two lengths of one body are refused', async () => {
      const smuggled =
        'POST /api/v1/markdown HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n';
      expect(await talk(smuggled)).to.match(/^HTTP\/1.1 400 /);
    });
  });

  describe('scripts of other origins', () => {
    it('read nothing by default', async () => {
      const { headers } = await api.anonymous.get('/version', { origin: 'https://example.org' });
      expect(headers.get('access-control-allow-origin')).to.equal(null);
    });

    it('read what CORS_ORIGIN lets them, and preflights need no credentials', async () => {
      const open = await api.another({ config: { corsOrigins: ['https://example.org'] } });
      const from = (origin: string) => open.anonymous.get('/user', { origin });
      expect((await from('https://example.org')).headers.get('access-control-allow-origin')).to.equal(
        'https://example.org',
      );
      expect((await from('https://example.com')).headers.get('access-control-allow-origin')).to.equal(null);
      const exposed = (await from('https://example.org')).headers.get('access-control-expose-headers');
      expect(exposed?.split(', ')).to.include.members(['ETag', 'Retry-After', 'X-Total-Count']);
      const preflight = await fetch(`${open.url()}/api/v1/user`, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.org', 'access-control-request-method': 'PATCH' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).to.deep.equal([
        204,
        'GET,HEAD,PUT,POST,DELETE,PATCH',
      ]);
      const anyone = await api.another({ config: { corsOrigins: ['*'] } });
      const { headers } = await anyone.anonymous.get('/version', { origin: 'https://example.com' });
      expect(headers.get('access-control-allow-origin')).to.equal('*');
    });
  });
});
