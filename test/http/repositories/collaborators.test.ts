import { expect } from 'chai';
import { ADMIN } from '../../support/api.js';
import { joined, statuses, team } from '../organizations/world.js';
import { done, peopleApi, repository } from './people.js';

const logins = (json: unknown) => (json as { login: string }[]).map(({ login }) => login);

describe('collaborators', () => {
  const world = peopleApi();
  const open = '/repos/owner/open/collaborators';
  const shut = '/repos/owner/shut/collaborators';
  const everybody = () => {
    const { api, wrong, stranger, reader, writer, administrator, owner } = world();
    return [api.anonymous, wrong, stranger, reader, writer, administrator, owner, api.admin];
  };

  describe('GET /repos/{owner}/{repo}/collaborators', () => {
    it('is for whoever is signed in and sees the repository', async () => {
      expect(await statuses(everybody(), (client) => client.get(open))).to.deep.equal([
        401, 401, 200, 200, 200, 200, 200, 200,
      ]);
      expect(await statuses(everybody(), (client) => client.get(shut))).to.deep.equal([
        404, 401, 404, 200, 200, 200, 200, 200,
      ]);
      expect((await world().owner.get('/repos/owner/nothing/collaborators')).status).to.equal(404);
    });

    it('lists those let in by name, and not the owner, in pages', async () => {
      const { owner } = world();
      const { json, headers } = await owner.get(open);
      expect(logins(json)).to.deep.equal(['administrator', 'reader', 'writer']);
      expect(headers.get('x-total-count')).to.equal('3');
      expect(logins((await owner.get(`${open}?limit=2&page=2`)).json)).to.deep.equal(['writer']);
    });
  });

  describe('GET /repos/{owner}/{repo}/collaborators/{collaborator}', () => {
    it('is 204 for a collaborator in any letter case, and else an empty 404', async () => {
      const { stranger } = world();
      for (const [name, status] of [
        ['reader', 204],
        ['READER', 204],
        ['owner', 404],
        ['stranger', 404],
        ['nobody-at-all', 404],
        ['%20', 404],
      ] as const) {
        const answer = await stranger.get(`${open}/${name}`);
        expect([answer.status, answer.text], name).to.deep.equal([status, '']);
      }
    });

    it('is for whoever is signed in and sees the repository', async () => {
      expect(await statuses(everybody(), (client) => client.get(`${shut}/reader`))).to.deep.equal([
        404, 401, 404, 204, 204, 204, 204, 204,
      ]);
      expect((await world().api.anonymous.get(`${open}/reader`)).status).to.equal(401);
      expect(await world().stranger.get(`${shut}/reader`)).to.include({ status: 404, text: '' });
    });
  });

  describe('PUT /repos/{owner}/{repo}/collaborators/{collaborator}', () => {
    const permission = async (who: string) => {
      const json = await done(world().owner.get(`/repos/owner/changing/collaborators/${who}/permission`));
      return (json as { permission: string }).permission;
    };
    const changing = '/repos/owner/changing/collaborators';
    before(() => repository(world().owner, '/user/repos', { name: 'changing' }));

    it('is for administrators of the repository', async () => {
      const refused = everybody().slice(0, -3);
      expect(await statuses(refused, (client) => client.put(`${open}/stranger`, '{'))).to.deep.equal([
        401, 401, 403, 403, 403,
      ]);
      expect(await statuses(refused, (client) => client.put(`${shut}/stranger`, '{'))).to.deep.equal([
        404, 401, 404, 403, 403,
      ]);
      expect((await world().administrator.put(`${open}/reader`, { permission: 'read' })).status).to.equal(
        204,
      );
    });

    it('lets somebody write, keeps what one has, and changes it to what is named', async () => {
      const { owner } = world();
      const seen: string[] = [await permission('member')];
      for (const body of [
        undefined,
        { permission: 'read' },
        {},
        { permission: 'admin' },
        { permission: '' },
      ]) {
        expect((await owner.put(`${changing}/Member`, body)).status).to.equal(204);
        seen.push(await permission('member'));
      }
      expect(seen).to.deep.equal(['read', 'write', 'read', 'read', 'admin', 'admin']);
    });

    it('is 422 for nobody, the owner, an organization, an inactive account and another word', async () => {
      const { api, owner } = world();
      await api.createUser('asleep');
      await done(api.admin.patch('/admin/users/asleep', { active: false }));
      for (const name of ['nobody-at-all', 'owner', 'acme', 'asleep'])
        expect((await owner.put(`${changing}/${name}`)).status, name).to.equal(422);
      for (const word of ['owner', 'none', 'Read'])
        expect((await owner.put(`${changing}/writer`, { permission: word })).status, word).to.equal(422);
      expect((await owner.get(`${changing}/writer`)).status).to.equal(404);
    });

    it('is 423 where the repository is archived', async () => {
      const { owner } = world();
      await repository(owner, '/user/repos', { name: 'old' });
      await done(owner.patch('/repos/owner/old', { archived: true }));
      expect((await owner.put('/repos/owner/old/collaborators/reader')).status).to.equal(423);
    });
  });

  describe('DELETE /repos/{owner}/{repo}/collaborators/{collaborator}', () => {
    const place = '/repos/owner/leaving/collaborators';
    before(async () => {
      await repository(world().owner, '/user/repos', { name: 'leaving', private: true });
      for (const name of ['reader', 'writer']) await done(world().owner.put(`${place}/${name}`));
    });

    it('is for administrators and for oneself', async () => {
      const { api, reader, stranger, wrong, owner } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, reader], (client) =>
          client.delete(`${place}/writer`),
        ),
      ).to.deep.equal([404, 401, 404, 403]);
      expect(
        await statuses([api.anonymous, stranger], (client) => client.delete(`${open}/writer`)),
      ).to.deep.equal([401, 403]);
      expect((await reader.delete(`${place}/READER`)).status).to.equal(204);
      expect((await reader.get('/repos/owner/leaving')).status).to.equal(404);
      expect((await owner.delete(`${place}/writer`)).status).to.equal(204);
      expect((await owner.get(`${place}/writer`)).status).to.equal(404);
    });

    it('is 204 for whoever is no collaborator and 422 for nobody', async () => {
      const { owner } = world();
      expect((await owner.delete(`${place}/stranger`)).status).to.equal(204);
      expect((await owner.delete(`${place}/nobody-at-all`)).status).to.equal(422);
    });

    it('takes the collaborator off the issues it was assigned to, and nobody else', async () => {
      const { api, owner } = world();
      await api.createUser('leaving');
      await repository(owner, '/user/repos', { name: 'assigning' });
      const place = '/repos/owner/assigning';
      await owner.put(`${place}/collaborators/leaving`);
      const issue = { title: 'both', assignees: ['leaving', 'owner'] };
      expect((await owner.post(`${place}/issues`, issue)).status).to.equal(201);
      expect((await owner.delete(`${place}/collaborators/leaving`)).status).to.equal(204);
      const { json } = await owner.get(`${place}/issues/1`);
      expect(logins((json as { assignees: unknown }).assignees)).to.deep.equal(['owner']);
      expect((await owner.get(`${place}/issues?assigned_by=leaving`)).json).to.deep.equal([]);
    });

    it('comes with the end of the account', async () => {
      const { api, owner } = world();
      await api.createUser('leaver');
      await done(owner.put(`${place}/leaver`));
      await done(api.admin.delete('/admin/users/leaver'));
      expect((await owner.get(place)).headers.get('x-total-count')).to.equal('0');
    });
  });

  it('are led to the name that somebody has now', async () => {
    const { api, owner } = world();
    await api.createUser('maiden');
    await repository(owner, '/user/repos', { name: 'registry' });
    const at = (name: string) => `/repos/owner/registry/collaborators/${name}`;
    await done(owner.put(at('maiden')));
    const themself = await api.createToken('maiden', 'write:repository');
    await done(api.admin.post('/admin/users/maiden/rename', { new_username: 'married' }));
    for (const [client, method, rest] of [
      [owner, 'GET', ''],
      [owner, 'PUT', ''],
      [owner, 'GET', '/permission'],
      [owner, 'DELETE', ''],
      [themself, 'GET', ''],
      [themself, 'GET', '/permission'],
      [themself, 'DELETE', ''],
    ] as const) {
      const { status, headers } = await client.send(method, at('maiden') + rest);
      expect([status, headers.get('location')], method + rest).to.deep.equal([
        307,
        `/api/v1${at('married')}${rest}`,
      ]);
    }
    expect((await owner.get(at('married'))).status).to.equal(204);
  });

  describe('people whom not everybody may know', () => {
    it('are nobody to whoever may not, until they were let in', async () => {
      const { api, owner, reader, stranger } = world();
      const secret = await api.createUser('secret', { visibility: 'private', full_name: 'A Secret' });
      await repository(owner, '/user/repos', { name: 'veiled' });
      const place = '/repos/owner/veiled';
      const absent = (await owner.get(`${place}/collaborators/absent/permission`)).text;
      expect((await owner.get(`${place}/collaborators/secret/permission`)).text).to.equal(absent);
      expect((await owner.put(`${place}/collaborators/secret`)).status).to.equal(422);
      expect((await owner.delete(`${place}/collaborators/secret`)).status).to.equal(422);
      const rule = { rule_name: 'main', push_whitelist_usernames: ['secret'] };
      expect((await owner.post(`${place}/branch_protections`, rule)).status).to.equal(422);

      await done(api.admin.put(`${place}/collaborators/secret`, { permission: 'write' }));
      await done(owner.put(`${place}/collaborators/administrator`, { permission: 'admin' }));
      const { administrator } = world();
      for (const [client, known] of [
        [stranger, ['administrator']],
        [reader, ['administrator']],
        [administrator, ['administrator', 'secret']],
        [secret, ['administrator', 'secret']],
        [owner, ['administrator', 'secret']],
      ] as const) {
        const list = await client.get(`${place}/collaborators`);
        expect([logins(list.json), list.headers.get('x-total-count')], client.username).to.deep.equal([
          known,
          String(known.length),
        ]);
        const status = known.length > 1 ? 204 : 404;
        expect((await client.get(`${place}/collaborators/secret`)).status).to.equal(status);
        const assignees = logins((await client.get(`${place}/assignees`)).json);
        expect(assignees.includes('secret'), client.username).to.equal(known.length > 1);
      }
      const narrow = await api.createToken(ADMIN.username, 'public-only', 'all');
      expect(logins((await narrow.get(`${place}/collaborators`)).json)).to.deep.equal(['administrator']);
      expect((await narrow.get(`${place}/collaborators/secret/permission`)).text).to.equal(absent);
      expect((await narrow.put(`${place}/collaborators/secret`)).status).to.equal(422);
      expect((await narrow.delete(`${place}/collaborators/secret`)).status).to.equal(422);
      expect((await narrow.post(`${place}/branch_protections`, rule)).status).to.equal(422);
      expect((await owner.get(`${place}/collaborators/secret/permission`)).status).to.equal(200);
      expect((await owner.get(`${place}/collaborators/owner/permission`)).status).to.equal(200);
      expect((await owner.post(`${place}/branch_protections`, rule)).status).to.equal(201);
      for (const path of ['branch_protections', 'branch_protections/main'])
        for (const [client, isTold] of [
          [owner, true],
          [narrow, false],
        ] as const)
          expect((await client.get(`${place}/${path}`)).text.includes('secret'), path).to.equal(isTold);
      expect((await owner.delete(`${place}/collaborators/secret`)).status).to.equal(204);
      expect((await owner.get(`${place}/collaborators/secret/permission`)).text).to.equal(absent);
    });
  });

  describe('GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission', () => {
    it('is for administrators, and for oneself', async () => {
      const { writer } = world();
      const of =
        (name: string) =>
        (client: typeof writer | (typeof everybody extends () => (infer C)[] ? C : never)) =>
          client.get(`${open}/${name}/permission`);
      expect(await statuses(everybody(), of('writer'))).to.deep.equal([
        401, 401, 403, 403, 200, 200, 200, 200,
      ]);
      expect((await writer.get(`${open}/WRITER/permission`)).status).to.equal(200);
      expect((await world().owner.get(`${open}/nobody-at-all/permission`)).status).to.equal(404);
      expect((await world().owner.get(`${open}/acme/permission`)).status).to.equal(404);
    });

    it('says what one may do by any way', async () => {
      const { owner, readersId } = world();
      await repository(owner, '/orgs/acme/repos', { name: 'teamed', private: true });
      await done(owner.put(`/teams/${readersId}/repos/acme/teamed`));
      for (const [place, name, permission] of [
        ['owner/shut', 'owner', 'owner'],
        ['owner/shut', 'administrator', 'admin'],
        ['owner/shut', 'writer', 'write'],
        ['owner/shut', 'reader', 'read'],
        ['owner/shut', 'stranger', 'none'],
        ['owner/open', 'stranger', 'read'],
        ['owner/shut', 'root', 'owner'],
        ['acme/teamed', 'member', 'read'],
        ['acme/teamed', 'owner', 'owner'],
        ['acme/teamed', 'stranger', 'none'],
      ]) {
        const { json } = await owner.get(`/repos/${place}/collaborators/${name}/permission`);
        expect(json, `${name} in ${place}`).to.deep.include({ permission, role_name: permission });
        expect((json as { user: { login: string } }).user.login).to.equal(name);
      }
    });
  });

  describe('GET /repos/{owner}/{repo}/assignees', () => {
    it('lists the owner and all who may write, by name', async () => {
      const { api, stranger, owner } = world();
      const { json, headers } = await stranger.get('/repos/owner/open/assignees');
      expect(logins(json)).to.deep.equal(['administrator', 'owner', 'writer']);
      expect(headers.get('x-total-count')).to.equal('3');
      expect((await api.anonymous.get('/repos/owner/open/assignees')).status).to.equal(401);
      await repository(owner, '/orgs/acme/repos', { name: 'assigned' });
      expect(logins((await stranger.get('/repos/acme/assigned/assignees')).json)).to.deep.equal(['owner']);
    });

    it('lists active accounts alone', async () => {
      const { api, owner } = world();
      await repository(owner, '/user/repos', { name: 'drowsy' });
      await api.createUser('drowsy');
      await done(owner.put('/repos/owner/drowsy/collaborators/drowsy'));
      const assignees = async () => logins((await owner.get('/repos/owner/drowsy/assignees')).json);
      expect(await assignees()).to.deep.equal(['drowsy', 'owner']);
      await done(api.admin.patch('/admin/users/drowsy', { active: false }));
      expect(await assignees()).to.deep.equal(['owner']);
    });

    it('lists members of teams that write in any unit, or read pull requests', async () => {
      const { api, stranger, owner } = world();
      await repository(owner, '/orgs/acme/repos', { name: 'worked-on' });
      for (const [name, level] of [
        ['repo.issues', 'read'],
        ['repo.pulls', 'read'],
        ['repo.releases', 'write'],
      ] as const) {
        const word = name.replace('repo.', '');
        const id = await team(owner, 'acme', { name: word, units_map: { [name]: level } });
        await joined(owner, id, await api.createUser(`of-${word}`));
        await done(owner.put(`/teams/${id}/repos/acme/worked-on`));
      }
      const assignees = logins((await stranger.get('/repos/acme/worked-on/assignees')).json);
      expect(assignees).to.deep.equal(['of-pulls', 'of-releases', 'owner']);
    });
  });
});
