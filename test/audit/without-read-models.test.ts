import { expect } from 'chai';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { startApi, type TestApi } from '../support/api.js';
import { runProgram } from '../support/process.js';

describe('npm run audit -- --user', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ hasTrueReadModels: false });
    await api.createUser('Alice');
    const rules = [{ name: 'few', limit: 10, subjects: ['size:all'] }];
    await api.admin.post('/admin/quota/groups', { name: 'starter', rules });
    await api.admin.put('/admin/quota/groups/starter/users/alice');
    await api.admin.post('/admin/users/alice/rename', { new_username: 'alicia' });
  });
  after(() => api.stop());

  const audit = async (user: string) => {
    const program = runProgram('src/audit/main.js', ['--user', user, '--json'], api.environment);
    const { code } = await program.ended();
    return { code, output: program.output() };
  };

  it('answers from the log alone: the same where there is no read model', async () => {
    const beside = await audit('alicia');
    expect(beside).to.include({ code: 0 });
    expect(beside.output).to.include('"starter"').and.include('"few"');
    await api.pauseProjector();
    for (const schema of projections.map(schemaOf))
      await api.connections.db.rows(`drop schema "${schema}" cascade`);
    expect(await audit('alicia')).to.deep.equal(beside);
    expect(await audit('alice')).to.include({ code: 2 });
  });
});
