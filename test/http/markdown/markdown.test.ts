import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

/** The parser is quadratic in this. */
const SLOW = '[a](<b'.repeat(50_000) + '*a _b '.repeat(100_000);

describe('markdown over HTTP', () => {
  let api: TestApi;
  let ann: TestUser;
  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    await api.createUser('secret', { visibility: 'private' });
  });
  after(() => api.stop());

  const render = (body: unknown, headers = {}) => api.anonymous.post('/markdown', body, headers);
  const raw = (body: string, headers: Record<string, string> = { 'content-type': 'text/plain' }) =>
    api.anonymous.post('/markdown/raw', body, headers);

  it('answers HTML to whoever asks', async () => {
    for (const answer of [
      await render({ Text: '# a' }),
      await raw('# a'),
      await ann.post('/markdown', { text: '# a' }),
    ]) {
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.text).to.equal('<h1 id="user-content-a">a</h1>\n');
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(answer.headers.get('cache-control')).to.equal(
        'max-age=0, private, must-revalidate, no-transform',
      );
      expect(answer.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    }
  });

  it('answers nothing for nothing, in every mode', async () => {
    for (const Mode of ['markdown', 'gfm', 'comment', 'unknown'])
      for (const Text of ['', ' \n ']) {
        const { status, text, headers } = await render({ Text, Mode });
        expect([status, text, headers.get('content-type')]).to.deep.equal([
          200,
          '',
          'text/html; charset=utf-8',
        ]);
      }
    expect((await raw('')).status).to.equal(200);
  });

  it('reads fields in any letter case, null as absent, and forms', async () => {
    const html = `<p><a href="${api.url()}/o/r/x" rel="nofollow">l</a></p>\n`;
    const context = 'o/r';
    expect((await render({ tExT: '[l](x)', CONTEXT: context, Wiki: null, mode: 'gfm' })).text).to.equal(html);
    const form = new URLSearchParams({ Text: '[l](x)', Context: context, Mode: 'gfm' }).toString();
    const typed = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await render(form, typed)).text).to.equal(html);
  });

  it('reads forms of both kinds as other routes do', async () => {
    const html = `<p><a href="${api.url()}/o/r/wiki/x" rel="nofollow">l</a></p>\n`;
    const fields = { text: '[l](x)', Context: 'o/r', Mode: 'gfm' };
    const typed = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const Wiki of ['true', '1', 't', 'on'])
      expect((await render(new URLSearchParams({ ...fields, Wiki }).toString(), typed)).text).to.equal(html);
    const parts = Object.entries({ ...fields, Wiki: '1' }).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const inParts = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await render(`${parts.join('')}--b--\r\n`, inParts)).text).to.equal(html);
  });

  it('takes fields without a type as JSON, and of no other type', async () => {
    const body = Buffer.from('{"Text":"a"}');
    const untyped = await fetch(`${api.url()}/api/v1/markdown`, { method: 'POST', body });
    expect(untyped.status).to.equal(200);
    for (const type of ['text/plain', 'application/xml'])
      expect((await render('{"Text":"a"}', { 'content-type': type })).status, type).to.equal(422);
  });

  for (const [what, body] of [
    ['no body', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a text', '"a"'],
    ['a number for a text', '{"Text":1}'],
    ['a text for a boolean', '{"Text":"a","Wiki":"yes"}'],
  ] as const)
    it(`refuses ${what}`, async () => {
      expect((await render(body, { 'content-type': 'application/json' })).status).to.equal(422);
    });

  it('refuses what is no UTF-8, and other charsets', async () => {
    const answer = await fetch(`${api.url()}/api/v1/markdown/raw`, {
      method: 'POST',
      body: Buffer.from([0xff, 0xfe]),
    });
    expect(answer.status).to.equal(422);
    expect((await raw('a', { 'content-type': 'text/plain; charset=latin1' })).status).to.equal(422);
  });

  it('refuses a text over 1 MiB, and a body over that of any request', async () => {
    const long = 'a'.repeat(1_048_577);
    expect((await raw(long)).status).to.equal(422);
    expect((await render({ Text: long })).status).to.equal(422);
    expect((await raw(long.repeat(8))).status).to.equal(413);
    expect((await render({ Text: long.repeat(8) })).status).to.equal(413);
    expect((await raw(long.slice(1))).status).to.equal(200);
  });

  it('reads a context of any number of slashes in a time that grows with their number', async () => {
    const slashes = '/'.repeat(600_000);
    const said = async (Context: string) => (await render({ Text: '[a](b)', Context })).text;
    expect(await said(`o/r${slashes}`)).to.equal(
      `<p><a href="${api.url()}/o/r/b" rel="nofollow">a</a></p>\n`,
    );
    expect(await said(`o${slashes}r`)).to.contain('rel="nofollow">a</a>');
  });

  it('joins below all of a context, but the query and fragment of an address', async () => {
    for (const [Context, href] of [
      ['http://h.test/o/r/?a=b/#c', 'http://h.test/o/r/x'],
      ['http://h.test?a', 'http://h.test/x'],
      ['o/r?a#b', `${api.url()}/o/r%3Fa%23b/x`],
    ])
      expect((await render({ Text: '[a](x)', Context })).text).to.equal(
        `<p><a href="${href}" rel="nofollow">a</a></p>\n`,
      );
  });

  it('leaves NUL out, in JSON too', async () => {
    expect((await render({ Text: 'a\0b' })).text).to.equal('<p>ab</p>\n');
    expect((await raw('a\0b')).text).to.equal('<p>ab</p>\n');
  });

  it('mentions accounts that the caller may see, and no others', async () => {
    const text = { Text: '@ann @ANN @secret @nobody', Mode: 'comment' };
    const link = (name: string) =>
      `<a href="${api.url()}/${name}" class="mention" rel="nofollow">@${name}</a>`;
    expect((await render(text)).text).to.equal(`<p>${link('ann')} ${link('ANN')} @secret @nobody</p>\n`);
    expect((await api.admin.post('/markdown', text)).text).to.contain(link('secret'));
  });

  it('mentions accounts whose names are written with escapes', async () => {
    await api.createUser('ann_lee');
    const { text } = await render({ Text: '@ann\\_lee', Mode: 'comment' });
    expect(text).to.match(/^<p><a [^>]+>@ann_lee<\/a><\/p>/);
  });

  it('mentions only public accounts to tokens that are limited to what is public', async () => {
    const token = await api.createToken('root', 'public-only', 'read:user');
    const { text } = await token.post('/markdown', { Text: '@ann @secret', Mode: 'gfm' });
    expect(text).to.match(/^<p><a [^>]+>@ann<\/a> @secret<\/p>/);
  });

  it('mentions those who share an organization with the caller, private ones too', async () => {
    const [cara, dan] = [
      await api.createUser('cara', { visibility: 'private' }),
      await api.createUser('dan'),
    ];
    await cara.post('/orgs', { username: 'hideout', visibility: 'private' });
    const team = { name: 'Guests', permission: 'read', units: ['repo.code'] };
    const { id } = (await cara.post('/orgs/hideout/teams', team)).json as { id: number };
    const html = async () =>
      (await dan.post('/markdown', { Text: '@cara @hideout @secret', Mode: 'gfm' })).text;
    expect(await html()).to.equal('<p>@cara @hideout @secret</p>\n');
    expect((await cara.put(`/teams/${id}/members/dan`)).status).to.equal(204);
    expect(await html()).to.match(/>@cara<\/a> <a [^>]+>@hideout<\/a> @secret<\/p>/);
  });

  it('mentions teams in the context of a repository of their organization, to those who may know of them', async () => {
    const bob = await api.createUser('bob');
    await ann.post('/orgs', { username: 'foundry' });
    const team = { name: 'Smiths', permission: 'write', units: ['repo.code'] };
    expect((await ann.post('/orgs/foundry/teams', team)).status).to.equal(201);
    for (const path of ['/orgs/foundry/repos', '/user/repos'])
      expect((await ann.post(path, { name: 'forge' })).status).to.equal(201);
    const text = { Text: '@foundry/smiths @foundry/none', Mode: 'comment' };
    const link = `<a href="${api.url()}/org/foundry/teams/smiths" class="mention" rel="nofollow">@foundry/smiths</a>`;
    const here = { ...text, Context: 'foundry/forge' };
    expect((await ann.post('/markdown', here)).text).to.equal(`<p>${link} @foundry/none</p>\n`);
    for (const { text: html } of [
      await bob.post('/markdown', here),
      await render(here),
      await ann.post('/markdown', text),
      await ann.post('/markdown', { ...text, Context: 'ann/forge' }),
    ])
      expect(html).to.equal('<p>@foundry/smiths @foundry/none</p>\n');
  });

  it('links commits of the context, and no branches and tags that are named as some', async () => {
    const made = await ann.post('/user/repos', { name: 'dated', auto_init: true });
    expect(made.status, made.text).to.equal(201);
    const tag = { tag_name: '20231105', target: 'main' };
    expect((await ann.post('/repos/ann/dated/tags', tag)).status).to.equal(201);
    const [{ sha }] = (await ann.get('/repos/ann/dated/commits')).json as [{ sha: string }];
    const Text = `${sha.slice(0, 8)} of 20231105`;
    expect((await render({ Text, Mode: 'gfm', Context: 'ann/dated' })).text).to.equal(
      `<p><a href="${api.url()}/ann/dated/commit/${sha.slice(0, 8)}" rel="nofollow"><code>${sha.slice(0, 8)}</code></a> of 20231105</p>\n`,
    );
  });

  it('refers to repositories, issues and commits that the caller may see, and to no others', async () => {
    for (const name of ['seen', 'unseen']) {
      const fields = { name, auto_init: true, private: name === 'unseen' };
      expect((await ann.post('/user/repos', fields)).status).to.equal(201);
    }
    const [{ sha }] = (await ann.get('/repos/ann/unseen/commits')).json as [{ sha: string }];
    const said = `#1 ann/seen#2 ann/unseen#3 ann/unseen@${sha.slice(0, 10)} ${sha.slice(0, 10)}`;
    const shown = async (client: Pick<TestUser, 'post'>, Mode: string, Context = 'ann/unseen') => {
      const { text } = await client.post('/markdown', { Text: said, Mode, Context });
      return [...text.matchAll(/href="[^"]*\/(ann\/[^"]*)"/g)].map(([, address]) => address);
    };
    const [commit, issue] = [`ann/unseen/commit/${sha.slice(0, 10)}`, 'ann/unseen/issues/3'];
    const stranger = await api.createUser('stranger');
    for (const client of [api.anonymous, stranger])
      for (const Mode of ['gfm', 'comment'])
        expect(await shown(client, Mode), Mode).to.deep.equal(['ann/seen/issues/2']);
    expect(await shown(ann, 'gfm')).to.deep.equal(['ann/seen/issues/2', issue, commit, commit]);
    expect(await shown(ann, 'comment')).to.deep.equal([
      ...['ann/unseen/issues/1', 'ann/seen/issues/2', issue, commit, commit],
    ]);
    expect(await shown(api.anonymous, 'comment', 'ann/seen')).to.deep.equal([
      'ann/seen/issues/1',
      'ann/seen/issues/2',
    ]);
    expect(await shown(ann, 'markdown'), 'plain texts refer to nothing').to.deep.equal([]);
  });

  it('tells tokens of what is not public only as far as their scopes read such things', async () => {
    await ann.post('/orgs', { username: 'lodge', visibility: 'private' });
    for (const [path, name] of [
      ['/orgs/lodge/repos', 'cellar'],
      ['/user/repos', 'den'],
    ] as const)
      expect((await ann.post(path, { name, private: true, auto_init: true })).status).to.equal(201);
    const [{ sha }] = (await ann.get('/repos/lodge/cellar/commits')).json as [{ sha: string }];
    const commit = sha.slice(0, 10);
    const Text = `@lodge @lodge/owners #1 ann/den#2 ${commit}`;
    const links = async (...scopes: string[]) => {
      const token = await api.createToken('ann', ...scopes);
      const { text } = await token.post('/markdown', { Text, Mode: 'comment', Context: 'lodge/cellar' });
      return [...text.matchAll(/href="[^"]*?:\d+\/([^"]*)"/g)].map(([, address]) => address);
    };
    const issues = ['lodge/cellar/issues/1', 'ann/den/issues/2'];
    expect(await links('write:misc', 'write:notification')).to.deep.equal([]);
    expect(await links('read:user')).to.deep.equal(['lodge']);
    expect(await links('read:issue')).to.deep.equal(issues);
    expect(await links('read:repository')).to.deep.equal([...issues, `lodge/cellar/commit/${commit}`]);
    expect(await links('all')).to.deep.equal([
      ...['lodge', 'org/lodge/teams/owners', ...issues, `lodge/cellar/commit/${commit}`],
    ]);
  });

  it('answers everybody else while it renders a text that takes long', async () => {
    let [rounds, meanwhile] = [0, 0];
    const slow = render({ Text: SLOW, Mode: 'gfm' }).finally(() => (meanwhile = rounds));
    for (; rounds < 20; rounds += 1) {
      expect((await ann.get('/user')).status).to.equal(200);
      expect((await render({ Text: `round ${rounds}` })).text).to.equal(`<p>round ${rounds}</p>\n`);
    }
    expect((await slow).status).to.be.oneOf([200, 422]);
    expect(meanwhile).to.be.greaterThan(0); // how many depends on the machine
  });

  it('refuses credentials that are wrong', async () => {
    expect((await api.as({ token: 'f'.repeat(40) }).post('/markdown', { Text: 'a' })).status).to.equal(401);
  });
});
