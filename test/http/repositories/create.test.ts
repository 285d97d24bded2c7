import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import { repositoryOf } from './repository.js';

describe('creating repositories', () => {
  let api: TestApi;
  let ann: TestUser;
  let ben: TestUser;

  before(async () => {
    api = await startApi();
    [ann, ben] = await Promise.all([api.createUser('ann'), api.createUser('ben')]);
    await ann.post('/orgs', { username: 'acme' });
    await ann.post('/orgs', { username: 'secret', visibility: 'private' });
  });
  after(() => api.stop());

  const used = async (username: string) => {
    const { json } = await api.admin.get(`/admin/users/${username}/quota`);
    const { repos } = (json as { used: { size: { repos: { public: number; private: number } } } }).used.size;
    return repos;
  };

  describe('for oneself', () => {
    it('is for whoever is signed in', async () => {
      expect((await api.anonymous.post('/user/repos', { name: 'x' })).status).to.equal(401);
      const token = await api.createToken('ann', 'write:user');
      expect((await token.post('/user/repos', { name: 'x' })).status).to.equal(403);
    });

    it('makes an empty repository', async () => {
      const answer = await ann.post('/user/repos', { name: 'Empty', description: 'nothing yet' });
      expect(answer.status).to.equal(201);
      const repository = repositoryOf(answer);
      expect(repository).to.deep.include({
        name: 'Empty',
        full_name: 'ann/Empty',
        description: 'nothing yet',
        empty: true,
        private: false,
        fork: false,
        parent: null,
        default_branch: 'main',
        permissions: { admin: true, push: true, pull: true },
        has_code: true,
        has_issues: true,
        has_wiki: true,
        topics: [],
        watchers_count: 1,
        archived_at: '1970-01-01T00:00:00Z',
        mirror_updated: '0001-01-01T00:00:00Z',
        object_format_name: 'sha1',
        repo_transfer: null,
      });
      expect(repositoryOf(await ann.get('/repos/ann/empty'))).to.deep.equal(repository);
    });

    it('makes a first commit, whose bytes count', async () => {
      const before = await used('ann');
      const body = {
        name: 'full',
        auto_init: true,
        private: true,
        template: true,
        default_branch: 'trunk',
        license: 'MIT',
        gitignores: 'Node',
        issue_labels: 'Default',
      };
      const repository = repositoryOf(await ann.post('/user/repos', body));
      expect(repository).to.deep.include({
        empty: false,
        private: true,
        template: true,
        default_branch: 'trunk',
      });
      const after = await used('ann');
      expect(after.private).to.be.greaterThan(before.private);
      expect(repository.size).to.equal(Math.floor((after.private - before.private) / 1024));
    });

    it('copies the set of labels', async () => {
      const { json } = await ann.get('/repos/ann/full/labels');
      expect((json as { name: string }[]).map(({ name }) => name)).to.include.members(['bug', 'wontfix']);
    });

    it('takes a name in one letter case', async () => {
      await ben.post('/user/repos', { name: 'Twice' });
      const again = await ben.post('/user/repos', { name: 'tWICE' });
      expect([again.status, again.message]).to.deep.equal([
        409,
        'The repository with the same name already exists.',
      ]);
    });

    for (const [what, body] of [
      ['without a name', {}],
      ['with characters that no name has', { name: 'a b' }],
      ['with a reserved name', { name: '..' }],
      ['with a reserved ending', { name: 'a.Wiki' }],
      ['with a name of 101 characters', { name: 'a'.repeat(101) }],
      ['with a bad default branch', { name: 'bad', default_branch: 'a..b' }],
      ['with an unknown label set', { name: 'bad', issue_labels: 'nothing' }],
      ['with an unknown licence', { name: 'bad', auto_init: true, license: 'nothing' }],
      ['with an unknown gitignore', { name: 'bad', auto_init: true, gitignores: 'Node,nothing' }],
      ['with an unknown readme', { name: 'bad', auto_init: true, readme: 'nothing' }],
      ['with an unknown object format', { name: 'bad', object_format_name: 'md5' }],
      ['with a description of 2,049 characters', { name: 'bad', description: 'a'.repeat(2049) }],
    ] as const)
      it(`is refused ${what}`, async () => {
        expect((await ann.post('/user/repos', body)).status).to.equal(422);
        expect((await ann.get('/repos/ann/bad')).status).to.equal(404);
      });

    it('ignores templates where nothing is put in', async () => {
      const { status } = await ann.post('/user/repos', { name: 'lenient', license: 'nothing', readme: 'x' });
      expect(status).to.equal(201);
    });

    it('is refused beyond the number that the user may have', async () => {
      await api.createUser('few');
      await api.admin.patch('/admin/users/few', { max_repo_creation: 1 });
      const few = api.as({ username: 'few', password: 'correct horse' });
      expect((await few.post('/user/repos', { name: 'one' })).status).to.equal(201);
      expect((await few.post('/user/repos', { name: 'two' })).status).to.equal(403);
      expect((await api.admin.post('/admin/users/few/repos', { name: 'two' })).status).to.equal(201);
    });

    it('is refused beyond that number, however many are made at once', async () => {
      await api.createUser('fewer');
      await api.admin.patch('/admin/users/fewer', { max_repo_creation: 2 });
      const fewer = api.as({ username: 'fewer', password: 'correct horse' });
      await api.admin.post('/user/repos', { name: 'pattern', auto_init: true, template: true });
      const copy = { owner: 'fewer', name: 'copy', git_content: true };
      const answers = await Promise.all([
        fewer.post('/user/repos', { name: 'one' }),
        fewer.post('/user/repos', { name: 'two' }),
        fewer.post('/repos/root/pattern/generate', copy),
        fewer.post('/repos/root/pattern/forks', { name: 'fork' }),
      ]);
      expect(answers.filter(({ status }) => status < 300)).to.have.lengthOf(2);
      expect((await fewer.get('/user/repos')).json).to.have.lengthOf(2);
    });

    it('is one repository for one key, whatever the answer', async () => {
      const headers = { 'Idempotency-Key': 'repository' };
      const first = await ann.post('/user/repos', { name: 'keyed' }, headers);
      const second = await ann.post('/user/repos', { name: 'keyed' }, headers);
      expect([first.status, second.status]).to.deep.equal([201, 201]);
      expect(repositoryOf(second).id).to.equal(repositoryOf(first).id);
    });
  });

  describe('where the owner has no room', () => {
    it('is refused with the account whose quota it is', async () => {
      const full = await api.createUser('full');
      await api.admin.post('/admin/quota/groups', {
        name: 'nothing',
        rules: [{ name: 'nothing', limit: 0, subjects: ['size:repos:all'] }],
      });
      await api.admin.put('/admin/quota/groups/nothing/users/full');
      const { status, json } = await full.post('/user/repos', { name: 'x', auto_init: true });
      expect(status).to.equal(413);
      expect(json).to.include({ user_id: full.id, username: 'full' });
      expect((await api.admin.post('/admin/users/full/repos', { name: 'x' })).status).to.equal(413);
      expect((await full.get('/repos/full/x')).status).to.equal(404);
    });

    it('is allowed exactly while `check` says so: a repository that is not there has no size yet', async () => {
      const tight = await api.createUser('tight');
      const subject = 'size:repos:public';
      const rule = { name: 'one byte', limit: 1, subjects: [subject] };
      await api.admin.post('/admin/quota/groups', { name: 'one byte', rules: [rule] });
      await api.admin.put('/admin/quota/groups/one%20byte/users/tight');
      for (const [allowed, status] of [
        [true, 201],
        [false, 413],
      ] as const) {
        expect((await tight.get(`/user/quota/check?subject=${subject}`)).json).to.equal(allowed);
        const made = await tight.post('/user/repos', { name: `made-${allowed}`, auto_init: true });
        expect(made.status).to.equal(status);
      }
    });
  });

  for (const path of ['/org', '/orgs'])
    describe(`in an organization, by ${path}`, () => {
      it('tells who is not there', async () => {
        const unknown = await ann.post(`${path}/nobodys/repos`, { name: 'x' });
        expect(unknown.status).to.equal(path === '/org' ? 422 : 404);
        const user = await ann.post(`${path}/ben/repos`, { name: 'x' });
        expect([user.status, user.json]).to.deep.equal([unknown.status, unknown.json]);
        expect((await ben.post(`${path}/secret/repos`, { name: 'x' })).status).to.equal(404);
        const statuses = [];
        for (const organization of ['acme', 'secret', 'nobodys', 'ben'])
          statuses.push((await api.anonymous.post(`${path}/${organization}/repos`, { name: 'x' })).status);
        expect(statuses).to.deep.equal(path === '/org' ? [401, 401, 401, 401] : [401, 404, 404, 404]);
      });

      it('is for owners, members who may, and site administrators', async () => {
        const name = path.slice(1);
        const may = await api.createUser(`may-${name}`);
        const mayNot = await api.createUser(`may-not-${name}`);
        for (const [user, can] of [
          [may, true],
          [mayNot, false],
        ] as const) {
          const team = { name: user.username, units: ['repo.code'], can_create_org_repo: can };
          const { json } = await ann.post('/orgs/acme/teams', team);
          await ann.put(`/teams/${(json as { id: number }).id}/members/${user.username}`);
        }
        const statuses = [];
        for (const client of [api.admin, ann, may, mayNot, ben])
          statuses.push(
            (await client.post(`${path}/acme/repos`, { name: `r${statuses.length}-${name}` })).status,
          );
        expect(statuses).to.deep.equal([201, 201, 201, 403, 403]);
        for (const client of [mayNot, ben])
          expect((await client.post(`${path}/acme/repos`, {})).status, 'before the body').to.equal(403);
        const { permissions } = repositoryOf(await may.get(`/repos/acme/r2-${name}`));
        expect(permissions).to.deep.equal({ admin: true, push: true, pull: true });
        expect((await may.delete(`/repos/acme/r2-${name}`)).status).to.equal(403);
      });
    });

  describe('by a site administrator', () => {
    it('makes it the named account’s', async () => {
      expect((await ann.post('/admin/users/ben/repos', { name: 'x' })).status).to.equal(403);
      expect((await api.admin.post('/admin/users/nobody/repos', { name: 'x' })).status).to.equal(404);
      const answer = await api.admin.post('/admin/users/ben/repos', { name: 'given', auto_init: true });
      expect([answer.status, repositoryOf(answer).full_name]).to.deep.equal([201, 'ben/given']);
      expect((await api.admin.post('/admin/users/ben/repos', { name: 'given' })).status).to.equal(409);
      expect((await api.admin.post('/admin/users/acme/repos', { name: 'given' })).status).to.equal(201);
    });
  });
});
