import { expect } from 'chai';
import { statuses } from '../organizations/world.js';
import { done, peopleApi, repository } from './people.js';

const plain = {
  enable_push: false,
  enable_push_whitelist: false,
  push_whitelist_usernames: [],
  push_whitelist_teams: [],
  push_whitelist_deploy_keys: false,
  enable_merge_whitelist: false,
  merge_whitelist_usernames: [],
  merge_whitelist_teams: [],
  enable_status_check: false,
  status_check_contexts: [],
  required_approvals: 0,
  enable_approvals_whitelist: false,
  approvals_whitelist_username: [],
  approvals_whitelist_teams: [],
  block_on_rejected_reviews: false,
  block_on_official_review_requests: false,
  block_on_outdated_branch: false,
  dismiss_stale_approvals: false,
  ignore_stale_approvals: false,
  require_signed_commits: false,
  protected_file_patterns: '',
  unprotected_file_patterns: '',
  apply_to_admins: false,
};

describe('branch protections', () => {
  const world = peopleApi();
  const open = '/repos/owner/open/branch_protections';
  const shut = '/repos/owner/shut/branch_protections';
  const rules = (json: unknown) => (json as { rule_name: string }[]).map(({ rule_name }) => rule_name);

  it('are for administrators of the repository, whatever is asked', async () => {
    const { api, wrong, stranger, reader, writer, administrator } = world();
    await done(administrator.post(open, { rule_name: 'main' }));
    const clients = [api.anonymous, wrong, stranger, reader, writer];
    for (const [method, path] of [
      ['GET', open],
      ['POST', open],
      ['GET', `${open}/main`],
      ['PATCH', `${open}/main`],
      ['DELETE', `${open}/main`],
    ] as const)
      expect(
        await statuses(clients, (client) =>
          client.send(method, path, method === 'POST' || method === 'PATCH' ? '{' : undefined),
        ),
        `${method} ${path}`,
      ).to.deep.equal([401, 401, 403, 403, 403]);
    expect(await statuses(clients, (client) => client.get(shut))).to.deep.equal([404, 401, 404, 403, 403]);
  });

  it('are told whole', async () => {
    const { owner } = world();
    await done(owner.delete(`${open}/main`));
    const { status, json } = await owner.post(open, { rule_name: '', branch_name: 'main' });
    expect(status).to.equal(201);
    const { created_at, updated_at, ...rest } = json as Record<string, unknown>;
    expect(rest).to.deep.equal({ ...plain, rule_name: 'main', branch_name: 'main' });
    expect(created_at).to.equal(updated_at);
    expect((await owner.get(`${open}/main`)).json).to.deep.equal(json);
    expect((await owner.post(open, { rule_name: 'v*' })).json).to.deep.include({ branch_name: '' });
  });

  it('list users and teams by the names that they have', async () => {
    const { api, owner } = world();
    await repository(owner, '/orgs/acme/repos', { name: 'guarded' });
    const path = '/repos/acme/guarded/branch_protections';
    await api.createUser('changeling');
    const { status, json } = await owner.post(path, {
      rule_name: 'main',
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['Writer', 'changeling', 'writer'],
      push_whitelist_teams: ['READERS'],
      approvals_whitelist_username: ['reader'],
    });
    expect(status).to.equal(201);
    expect(json).to.deep.include({
      push_whitelist_usernames: ['changeling', 'writer'],
      push_whitelist_teams: ['readers'],
      approvals_whitelist_username: ['reader'],
    });
    await done(api.admin.post('/admin/users/changeling/rename', { new_username: 'renamed' }));
    expect((await owner.get(`${path}/main`)).json).to.deep.include({
      push_whitelist_usernames: ['renamed', 'writer'],
    });
    await done(api.admin.delete('/admin/users/renamed'));
    expect((await owner.get(`${path}/main`)).json).to.deep.include({ push_whitelist_usernames: ['writer'] });
    await done(owner.post('/repos/acme/guarded/transfer', { new_owner: 'owner' }));
    const moved = await owner.get('/repos/owner/guarded/branch_protections');
    expect((moved.json as object[])[0]).to.deep.include({
      push_whitelist_usernames: ['writer'],
      push_whitelist_teams: [],
    });
  });

  it('change in what is given', async () => {
    const { owner } = world();
    const before = (await owner.post(open, { rule_name: 'release/*', required_approvals: 2 })).json as object;
    const { status, json } = await owner.patch(`${open}/release/*`, {
      enable_push: true,
      status_check_contexts: ['ci'],
    });
    expect(status).to.equal(200);
    const { updated_at } = json as { updated_at: string };
    expect(updated_at).to.match(/Z$/);
    expect(json).to.deep.equal({ ...before, enable_push: true, status_check_contexts: ['ci'], updated_at });
    expect((await owner.get(`${open}/${encodeURIComponent('release/*')}`)).json).to.deep.equal(json);
    expect((await owner.patch(`${open}/nothing`, {})).status).to.equal(404);
  });

  it('are listed, the oldest first, in pages', async () => {
    const { owner } = world();
    await repository(owner, '/user/repos', { name: 'listed' });
    const path = '/repos/owner/listed/branch_protections';
    for (const rule_name of ['b', 'a', 'c']) await done(owner.post(path, { rule_name }));
    await done(owner.patch(`${path}/b`, { enable_push: true }));
    const { json, headers } = await owner.get(`${path}?limit=2`);
    expect(rules(json)).to.deep.equal(['b', 'a']);
    expect(headers.get('x-total-count')).to.equal('3');
    expect((await owner.delete(`${path}/a`)).status).to.equal(204);
    expect((await owner.delete(`${path}/a`)).status).to.equal(404);
    expect(rules((await owner.get(path)).json)).to.deep.equal(['b', 'c']);
  });

  it('are 400 without a name, 403 with one that there is, and 422 with what nobody knows', async () => {
    const { owner } = world();
    await done(owner.post(open, { rule_name: 'taken' }));
    for (const [body, status] of [
      [{}, 400],
      [{ rule_name: '', branch_name: '' }, 400],
      [{ rule_name: 'taken' }, 403],
      [{ rule_name: 'x'.repeat(256) }, 422],
      [{ rule_name: 'x', push_whitelist_usernames: ['nobody-at-all'] }, 422],
      [{ rule_name: 'x', push_whitelist_usernames: ['acme'] }, 422],
      [{ rule_name: 'x', merge_whitelist_teams: ['readers'] }, 422],
      [{ rule_name: 'x', required_approvals: -1 }, 422],
      [{ rule_name: 'x', status_check_contexts: ['x'.repeat(256)] }, 422],
      [{ rule_name: 'x', status_check_contexts: Array.from({ length: 129 }, () => 'x'.repeat(255)) }, 422],
      [{ rule_name: 'x', enable_push: 'yes' }, 422],
    ] as const)
      expect((await owner.post(open, body)).status, JSON.stringify(body)).to.equal(status);
    const unknown = await owner.post(open, {
      rule_name: 'x',
      approvals_whitelist_username: ['nobody-at-all'],
    });
    expect(unknown.message).to.equal('[ApprovalsWhitelistUsername]: no such user: nobody-at-all');
    expect(
      (await owner.patch(`${open}/taken`, { push_whitelist_usernames: ['nobody-at-all'] })).status,
    ).to.equal(422);
  });

  it('have no name that would stand for another resource in their own address', async () => {
    const { owner } = world();
    for (const name of ['.', '..', 'release/..', './main', 'a/../b']) {
      expect((await owner.post(open, { rule_name: name })).status, name).to.equal(422);
      expect((await owner.post(open, { branch_name: name })).status, name).to.equal(422);
    }
    for (const name of ['...', '.a', 'a/b..', '**/..b']) await done(owner.post(open, { rule_name: name }));
  });

  it('of what is archived are 423 to change', async () => {
    const { owner } = world();
    await repository(owner, '/user/repos', { name: 'old' });
    const path = '/repos/owner/old/branch_protections';
    await done(owner.post(path, { rule_name: 'main' }));
    await done(owner.patch('/repos/owner/old', { archived: true }));
    expect((await owner.post(path, { rule_name: 'x' })).status).to.equal(423);
    expect((await owner.patch(`${path}/main`, { enable_push: true })).status).to.equal(423);
    expect((await owner.delete(`${path}/main`)).status).to.equal(423);
  });
});
