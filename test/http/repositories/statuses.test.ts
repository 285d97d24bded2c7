import { expect } from 'chai';
import { statuses } from '../organizations/world.js';
import { done, firstHash, peopleApi, repository } from './people.js';

type Status = Record<string, unknown> & {
  readonly id: number;
  readonly context: string;
  readonly status: string;
};
interface Combined {
  readonly state: string;
  readonly sha: string;
  readonly total_count: number;
  readonly statuses: readonly Status[];
  readonly repository: { readonly full_name: string };
  readonly commit_url: string;
  readonly url: string;
}

describe('commit statuses', () => {
  const world = peopleApi();
  let names = 0;

  /** A repository with one commit, and where its statuses are. */
  async function fresh(): Promise<{ place: string; sha: string; path: string }> {
    const { owner } = world();
    const name = `reported-${(names += 1)}`;
    await repository(owner, '/user/repos', { name, auto_init: true });
    const place = `/repos/owner/${name}`;
    const sha = await firstHash(world().api, `owner/${name}`);
    return { place, sha, path: `${place}/statuses/${sha}` };
  }
  const ids = (json: unknown) => (json as Status[]).map(({ id }) => id);

  describe('POST /repos/{owner}/{repo}/statuses/{sha}', () => {
    it('is for writers', async () => {
      const { api, wrong, stranger, reader, writer } = world();
      const { path } = await fresh();
      expect(
        await statuses([api.anonymous, wrong, stranger], (client) => client.post(path, '{')),
      ).to.deep.equal([401, 401, 403]);
      const shut = `/repos/owner/shut/statuses/main`;
      expect(
        await statuses([api.anonymous, stranger, reader, writer], (client) =>
          client.post(shut, { state: 'pending' }),
        ),
      ).to.deep.equal([404, 404, 403, 201]);
    });

    it('records each of the five states, counted from 1', async () => {
      const { api, owner } = world();
      const { path, sha, place } = await fresh();
      for (const [index, state] of ['pending', 'success', 'error', 'failure', 'warning'].entries()) {
        const body = {
          state: ` ${state} `,
          target_url: ' http://ci/1 ',
          description: ' d ',
          context: ' ci ',
        };
        const { status, json } = await owner.post(path, body);
        expect(status).to.equal(201);
        const { created_at, ...rest } = json as Status & { created_at: string };
        expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(rest).to.deep.include({
          id: index + 1,
          status: state,
          target_url: 'http://ci/1',
          description: 'd',
          context: 'ci',
          updated_at: created_at,
        });
        expect((rest.creator as { login: string }).login).to.equal('owner');
        expect(rest.url).to.match(new RegExp(`/api/v1${place}/statuses/${sha}$`));
      }
      expect(ids((await api.anonymous.get(path)).json)).to.deep.equal([5, 4, 3, 2, 1]);
    });

    it('takes a branch, or a part of a hash, for the whole of it', async () => {
      const { owner } = world();
      const { place, path, sha } = await fresh();
      await done(owner.post(`${place}/statuses/main`, { state: 'success', context: 'by branch' }));
      await done(
        owner.post(`${place}/statuses/${sha.slice(0, 10)}`, { state: 'success', context: 'by hash' }),
      );
      expect(ids((await owner.get(path)).json)).to.deep.equal([2, 1]);
    });

    it('finds a branch where it is by the log, though the read models are late', async () => {
      const { api, owner } = world();
      const { place } = await fresh();
      const report = () => api.admin.post(`${place}/statuses/main`, { state: 'success' });
      await api.pauseProjector();
      const written = await owner.post(`${place}/contents/late.txt`, { content: 'aGk=' });
      const tip = (written.json as { commit: { sha: string } }).commit.sha;
      const { status, headers } = await report();
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
      api.resumeProjector();
      expect((await report()).status).to.equal(201);
      const { json } = await owner.get(`${place}/statuses/${tip}`);
      expect((json as Status[]).map((reported) => reported.status)).to.deep.equal(['success']);
    });

    it('is 404 for what is no commit of the repository', async () => {
      const { owner } = world();
      const { place } = await fresh();
      const { sha: elsewhere } = await fresh();
      await repository(owner, '/user/repos', { name: `empty-${(names += 1)}` });
      for (const path of [
        `${place}/statuses/mai`,
        `${place}/statuses/${'0'.repeat(40)}`,
        `${place}/statuses/--upload-pack=x`,
        `/repos/owner/empty-${names}/statuses/main`,
      ])
        expect((await owner.post(path, { state: 'success' })).status, path).to.equal(404);
      expect((await owner.post(`${place}/statuses/${elsewhere}`, { state: 'success' })).status).to.equal(404);
    });

    it('is 422 without a state, with another one, or with too much', async () => {
      const { owner } = world();
      const { path } = await fresh();
      for (const body of [
        undefined,
        {},
        { state: '' },
        { state: 'skipped' },
        { state: 'success', context: 'x'.repeat(256) },
        { state: 'success', description: 5 },
      ])
        expect((await owner.post(path, body)).status, JSON.stringify(body)).to.equal(422);
    });

    it('is 423 where the repository is archived', async () => {
      const { owner } = world();
      const { place, path } = await fresh();
      await done(owner.patch(place, { archived: true }));
      expect((await owner.post(path, { state: 'success' })).status).to.equal(423);
      expect((await owner.post(`${place}/statuses/absent`, { state: 'success' })).status).to.equal(423);
    });

    it('keeps all of many at once, counted without a gap', async () => {
      const { api, owner } = world();
      const { path } = await fresh();
      const other = await api.another();
      const second = other.as({ username: 'owner', password: 'correct horse' });
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          (index % 2 ? owner : second).post(path, { state: 'success', context: `ci ${index}` }),
        ),
      );
      const given = answers.map(({ status, json }) => [status, (json as Status).id] as const);
      expect(given.every(([status]) => status === 201)).to.equal(true);
      expect(given.map(([, id]) => id).sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 24 }, (_, index) => index + 1),
      );
    });
  });

  describe('GET /repos/{owner}/{repo}/statuses/{sha}', () => {
    it('is for whoever sees the repository', async () => {
      const { api, stranger, reader } = world();
      const clients = [api.anonymous, stranger, reader];
      expect(
        await statuses(clients, (client) => client.get('/repos/owner/open/statuses/main')),
      ).to.deep.equal([200, 200, 200]);
      expect(
        await statuses(clients, (client) => client.get('/repos/owner/shut/statuses/main')),
      ).to.deep.equal([404, 404, 200]);
    });

    it('is ordered and narrowed as asked, in pages', async () => {
      const { owner } = world();
      const { path } = await fresh();
      for (const state of ['pending', 'success', 'pending']) await done(owner.post(path, { state }));
      for (const [query, expected] of [
        ['', [3, 2, 1]],
        ['?sort=oldest', [1, 2, 3]],
        ['?sort=recentupdate', [3, 2, 1]],
        ['?sort=leastupdate', [1, 2, 3]],
        ['?sort=leastindex', [3, 2, 1]],
        ['?sort=highestindex', [1, 2, 3]],
        ['?sort=whatever', [3, 2, 1]],
        ['?state=pending', [3, 1]],
        ['?state=nothing', [3, 2, 1]],
        ['?limit=2&page=2', [1]],
      ] as const) {
        const { json, headers } = await owner.get(path + query);
        expect(ids(json), query).to.deep.equal(expected);
        expect(headers.get('x-total-count'), query).to.equal(query === '?state=pending' ? '2' : '3');
      }
    });
  });

  for (const kind of ['statuses', 'status'])
    describe(`GET /repos/{owner}/{repo}/commits/{ref}/${kind}`, () => {
      const combined = async (place: string, ref: string, query = '') =>
        (await done(world().api.anonymous.get(`${place}/commits/${ref}/${kind}${query}`))) as Combined;

      it('is for whoever sees the repository', async () => {
        const { api, stranger, reader } = world();
        const clients = [api.anonymous, stranger, reader];
        expect(
          await statuses(clients, (client) => client.get(`/repos/owner/shut/commits/main/${kind}`)),
        ).to.deep.equal([404, 404, 200]);
      });

      it('is pending where nothing was reported', async () => {
        const { place, sha } = await fresh();
        expect(await combined(place, 'main')).to.deep.include({
          state: 'pending',
          sha,
          total_count: 0,
          statuses: [],
        });
      });

      it('takes the newest of each context, and of those the worst', async () => {
        const { owner } = world();
        const { place, path, sha } = await fresh();
        const states: string[] = [];
        for (const [context, state] of [
          ['a', 'success'],
          ['b', 'pending'],
          ['a', 'error'],
          ['b', 'success'],
          ['c', 'warning'],
          ['a', 'success'],
        ]) {
          await done(owner.post(path, { context, state }));
          states.push((await combined(place, sha)).state);
        }
        expect(states).to.deep.equal(['success', 'pending', 'failure', 'failure', 'failure', 'warning']);
        const whole = await combined(place, sha);
        expect(whole.statuses.map(({ id, context }) => [id, context])).to.deep.equal([
          [6, 'a'],
          [5, 'c'],
          [4, 'b'],
        ]);
        expect(whole.repository.full_name).to.equal(place.replace('/repos/', ''));
        expect(whole.commit_url).to.match(new RegExp(`/api/v1${place}/git/commits/${sha}$`));
        const part = await combined(place, sha.slice(0, 10), '?limit=1&page=2');
        expect([part.state, part.total_count, part.sha]).to.deep.equal(['warning', 3, sha]);
        expect(part.statuses.map(({ context }) => context)).to.deep.equal(['c']);
      });

      it('is 404 for what names no commit, and in an empty repository', async () => {
        const { api, owner } = world();
        const { place } = await fresh();
        await repository(owner, '/user/repos', { name: `empty-${(names += 1)}` });
        for (const path of [`${place}/commits/mai`, `/repos/owner/empty-${names}/commits/main`])
          expect((await api.anonymous.get(`${path}/${kind}`)).status, path).to.equal(404);
      });
    });
});
