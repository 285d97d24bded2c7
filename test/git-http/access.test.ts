import { expect } from 'chai';
import { basic } from '../support/client.js';
import { PASSWORD, type TestToken } from '../support/api.js';
import { gitWorld, type GitWorld, type TestRepository } from './world.js';

type Service = 'git-upload-pack' | 'git-receive-pack';
const R: Service = 'git-upload-pack';
const W: Service = 'git-receive-pack';

describe('git over HTTP: who may do what', () => {
  let world: GitWorld;
  let open: TestRepository;
  let shut: TestRepository;

  before(async () => {
    world = await gitWorld();
    open = await world.create('open');
    shut = await world.create('shut', { isPrivate: true });
    await world.api.createUser('writer');
    for (const { name } of [open, shut]) {
      await world.owner.put(`/repos/owner/${name}/collaborators/writer`, { permission: 'write' });
      await world.owner.put(`/repos/owner/${name}/collaborators/reader`, { permission: 'read' });
    }
    await world.api.createUser('stranger');
  });
  after(() => world.stop());

  const ask = (path: string, service: Service, authorization?: string, method = 'GET') =>
    fetch(`${world.api.url()}/${path}/info/refs?service=${service}`, {
      method,
      redirect: 'manual',
      ...(authorization !== undefined && { headers: { authorization } }),
    });
  const as = (username: string) => (username === '' ? undefined : basic(username, PASSWORD));
  const statuses = async (path: string, username: string) => [
    (await ask(path, R, as(username))).status,
    (await ask(path, W, as(username))).status,
  ];

  const table: readonly [repository: string, caller: string, read: number, write: number][] = [
    ['open', '', 200, 401],
    ['open', 'stranger', 200, 403],
    ['open', 'reader', 200, 403],
    ['open', 'writer', 200, 200],
    ['open', 'owner', 200, 200],
    ['shut', '', 401, 401],
    ['shut', 'stranger', 404, 404],
    ['shut', 'reader', 200, 403],
    ['shut', 'writer', 200, 200],
    ['shut', 'owner', 200, 200],
    ['nothing', '', 401, 401],
    ['nothing', 'stranger', 404, 404],
    ['nothing', 'owner', 404, 403],
  ];
  for (const [repository, caller, read, write] of table)
    it(`${repository} for ${caller || 'nobody'}: ${read} to read, ${write} to write`, async () => {
      expect(await statuses(`owner/${repository}.git`, caller)).to.deep.equal([read, write]);
    });

  it('tells whoever sees all that an owner has that pushing creates nothing', async () => {
    await world.owner.post('/orgs', { username: 'firm' });
    await world.api.createUser('boss');
    await world.api.admin.patch('/admin/users/boss', { login_name: 'boss', source_id: 0, admin: true });
    const missing: readonly (readonly [path: string, caller: string, write: number])[] = [
      ['OWNER/nothing', 'owner', 403],
      ['firm/nothing', 'owner', 403],
      ['firm/nothing', 'writer', 404],
      ['nobody/nothing', 'owner', 404],
      ['nobody/nothing', 'boss', 403],
    ];
    for (const [path, caller, write] of missing)
      expect(await statuses(path, caller), `${path} for ${caller}`).to.deep.equal([404, write]);
  });

  it('says the same of what is private and what is missing', async () => {
    for (const caller of ['', 'stranger']) {
      const [one, other] = await Promise.all([
        ask('owner/shut', R, as(caller)),
        ask('owner/nothing', R, as(caller)),
      ]);
      expect(await one.text()).to.equal(await other.text());
      expect(one.headers.get('www-authenticate')).to.equal(other.headers.get('www-authenticate'));
    }
  });

  it('answers HEAD as GET, without the refs', async () => {
    for (const [path, caller] of [
      ['open', ''],
      ['open', 'owner'],
      ['shut', ''],
      ['shut', 'stranger'],
      ['shut', 'reader'],
    ] as const)
      for (const service of [R, W]) {
        const [got, asked] = await Promise.all([
          ask(`owner/${path}.git`, service, as(caller)),
          ask(`owner/${path}.git`, service, as(caller), 'HEAD'),
        ]);
        expect(asked.status, `${service} of ${path} for ${caller}`).to.equal(got.status);
        expect(asked.headers.get('content-type')).to.equal(got.headers.get('content-type'));
        expect(await asked.text()).to.equal('');
      }
  });

  it('does not say that it is missing while the read models are behind what the caller wrote', async () => {
    await world.owner.get('/user');
    await world.api.pauseProjector();
    try {
      await world.owner.put('/repos/owner/open/topics/late');
      expect(await statuses('owner/soon', 'owner')).to.deep.equal([503, 503]);
    } finally {
      world.api.resumeProjector();
    }
    expect(await statuses('owner/soon', 'owner')).to.deep.equal([404, 403]);
  });

  it('tells clients of Git LFS that it is not served, whatever is there', async () => {
    for (const path of ['owner/open.git', 'owner/shut', 'owner/nothing.git']) {
      const address = `${world.api.url()}/${path}/info/lfs/objects/batch`;
      const answer = await fetch(address, { method: 'POST', body: '{}' });
      expect(answer.status).to.equal(404);
      expect(await answer.json()).to.have.property('message', 'Git LFS is not served here');
    }
  });

  it('asks for Basic credentials, and again for wrong ones', async () => {
    for (const answer of [await ask('owner/shut', R), await ask('owner/open', R, basic('owner', 'wrong'))]) {
      expect(answer.status).to.equal(401);
      expect(answer.headers.get('www-authenticate')).to.match(/^Basic realm="/);
      expect(answer.headers.get('content-type')).to.contain('text/plain');
    }
  });

  it('sees the repositories of a private owner as that owner is seen', async () => {
    const hidden = await world.api.createUser('hidden', { visibility: 'private' });
    await world.create('there', { by: hidden });
    expect(await statuses('hidden/there', '')).to.deep.equal([401, 401]);
    expect(await statuses('hidden/there', 'stranger')).to.deep.equal([404, 404]);
    expect(await statuses('hidden/there', 'hidden')).to.deep.equal([200, 200]);
  });

  it('shows code to who may read it, and not to teams that have other units alone', async () => {
    const { api, owner } = world;
    expect((await owner.post('/orgs', { username: 'parts' })).status).to.equal(201);
    expect((await owner.post('/orgs/parts/repos', { name: 'part', private: true })).status).to.equal(201);
    for (const unit of ['repo.issues', 'repo.code']) {
      const member = await api.createUser(unit);
      const team = { name: unit, units_map: { [unit]: 'write' }, includes_all_repositories: true };
      const { id } = (await owner.post('/orgs/parts/teams', team)).json as { id: number };
      expect((await owner.put(`/teams/${id}/members/${member.username}`)).status).to.equal(204);
      expect((await member.get('/repos/parts/part')).status).to.equal(200);
    }
    expect(await statuses('parts/part', 'repo.issues')).to.deep.equal([404, 404]);
    expect(await statuses('parts/part', 'repo.code')).to.deep.equal([200, 200]);
  });

  it('lets everybody read what is archived, and nobody write to it', async () => {
    await world.create('old');
    expect((await world.owner.patch('/repos/owner/old', { archived: true })).status).to.equal(200);
    expect(await statuses('owner/old', 'owner')).to.deep.equal([200, 403]);
    expect(await statuses('owner/old', '')).to.deep.equal([200, 401]);
  });

  it('sends on who asks for a former name, credentials and query kept', async () => {
    await world.create('former');
    await world.owner.patch('/repos/owner/former', { name: 'latter' });
    const answer = await ask('owner/former.git', R);
    expect(answer.status).to.equal(307);
    expect(answer.headers.get('location')).to.equal(
      `${world.api.url()}/owner/latter.git/info/refs?service=git-upload-pack`,
    );
    const { code, stderr } = await world.client.run(['ls-remote', `${world.api.url()}/owner/former`]);
    expect(code, stderr).to.equal(0);
  });

  it('shuts out accounts that may not sign in', async () => {
    await world.api.createUser('banned');
    await world.api.admin.patch('/admin/users/banned', {
      login_name: 'banned',
      source_id: 0,
      prohibit_login: true,
    });
    expect((await ask('owner/open', R, as('banned'))).status).to.equal(403);
  });

  it('shows nothing of an owner who is not active', async () => {
    const idle = await world.api.createUser('idle');
    await world.create('repo', { by: idle });
    await world.api.admin.patch('/admin/users/idle', { login_name: 'idle', source_id: 0, active: false });
    expect((await ask('idle/repo', R)).status).to.equal(403);
  });

  describe('by token', () => {
    let reads: TestToken;
    let writes: TestToken;
    let narrow: TestToken;
    let other: TestToken;
    before(async () => {
      reads = await world.api.createToken('owner', 'read:repository');
      writes = await world.api.createToken('owner', 'write:repository');
      narrow = await world.api.createToken('owner', 'public-only', 'write:repository');
      other = await world.api.createToken('owner', 'write:issue');
    });

    it('takes it as the user, as the password, as a header and in the query', async () => {
      const { token } = reads;
      for (const header of [
        basic(token, ''),
        basic(token, 'x-oauth-basic'),
        basic('anything', token),
        `token ${token}`,
        `Bearer ${token}`,
      ])
        expect((await ask('owner/shut', R, header)).status, header).to.equal(200);
      const url = `${world.api.url()}/owner/shut/info/refs?service=git-upload-pack&token=${token}`;
      const { status, headers } = await fetch(url);
      expect([status, headers.get('warning')?.slice(0, 5)]).to.deep.equal([200, '299 -']);
    });

    it('asks for the scope of what is wanted', async () => {
      const by = async ({ token }: TestToken, path: string) => [
        (await ask(path, R, `token ${token}`)).status,
        (await ask(path, W, `token ${token}`)).status,
      ];
      expect(await by(reads, 'owner/shut')).to.deep.equal([200, 403]);
      expect(await by(writes, 'owner/shut')).to.deep.equal([200, 200]);
      expect(await by(other, 'owner/open')).to.deep.equal([403, 403]);
      expect(await by(narrow, 'owner/open')).to.deep.equal([200, 200]);
      expect(await by(narrow, 'owner/shut')).to.deep.equal([403, 403]);
    });

    it('leads one that reaches only what is public to no new name of a user who is not', async () => {
      await world.api.createUser('withdrawing');
      await world.api.admin.patch('/admin/users/withdrawing', { visibility: 'limited' });
      await world.api.admin.post('/admin/users/withdrawing/rename', { new_username: 'withdrawn' });
      const answers = [reads, narrow].map(({ token }) => ask('withdrawing/none', R, `token ${token}`));
      expect((await Promise.all(answers)).map(({ status }) => status)).to.deep.equal([307, 403]);
    });

    it('pushes and pulls', async () => {
      await world.client.working('by-token');
      const url = world.url(open, `owner:${writes.token}`);
      await world.client.git(['push', '--quiet', url, 'main'], { in: 'by-token' });
      const asUser = new URL(world.url(open));
      asUser.username = reads.token;
      await world.client.git(['clone', '--quiet', asUser.href, 'by-token-clone']);
    });
  });

  it('tells in words what git shows', async () => {
    const { code, stderr } = await world.client.run(['ls-remote', world.url(shut, 'stranger')]);
    expect(code).to.equal(128);
    expect(stderr).to.contain('remote: no such repository');
  });
});

describe('git over HTTP, where everybody has to sign in', () => {
  it('asks nobody in particular to do so', async () => {
    const world = await gitWorld({ config: { requireSignIn: true } });
    try {
      const repository = await world.create('open');
      const url = `${world.url(repository)}/info/refs?service=git-upload-pack`;
      expect((await fetch(url)).status).to.equal(401);
      const headers = { authorization: basic('reader', PASSWORD) };
      expect((await fetch(url, { headers })).status).to.equal(200);
    } finally {
      await world.stop();
    }
  });
});

describe('git over HTTP, where it is switched off', () => {
  it('is refused to everybody, in words', async () => {
    const world = await gitWorld({ config: { disableHttpGit: true } });
    try {
      const repository = await world.create('open');
      for (const service of ['git-upload-pack', 'git-receive-pack']) {
        const answer = await fetch(`${world.url(repository)}/info/refs?service=${service}`);
        const told = [answer.status, answer.headers.get('content-type'), await answer.text()];
        const text = 'git over HTTP is switched off here\n';
        expect(told).to.deep.equal([403, 'text/plain; charset=utf-8', text]);
      }
      expect((await world.api.anonymous.get(`/repos/owner/${repository.name}`)).status).to.equal(200);
    } finally {
      await world.stop();
    }
  });
});
