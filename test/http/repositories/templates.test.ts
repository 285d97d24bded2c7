import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.js';

describe('the lists of templates', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const get = async (path: string) => {
    const { status, json } = await api.anonymous.get(path);
    expect(status, path).to.equal(200);
    return json;
  };

  it('tell what to ignore', async () => {
    expect(await get('/gitignore/templates')).to.include('Node');
    const { name, source } = (await get('/gitignore/templates/Node')) as { name: string; source: string };
    expect([name, source.includes('node_modules')]).to.deep.equal(['Node', true]);
  });

  it('tell licenses', async () => {
    const list = (await get('/licenses')) as { key: string; name: string; url: string }[];
    const entry = list.find(({ name }) => name === 'MIT');
    expect(entry?.key).to.equal('MIT');
    expect(entry?.url).to.match(/\/api\/v1\/licenses\/MIT$/);
    const whole = (await get('/licenses/MIT')) as Record<string, string>;
    expect(whole).to.deep.include({ ...entry });
    expect(whole.body).to.match(/Permission is hereby granted/);
    expect(whole.implementation).to.match(/LICENSE/);
  });

  it('tell sets of labels', async () => {
    expect(await get('/label/templates')).to.include.members(['Default', 'Advanced']);
    const [label] = (await get('/label/templates/Default')) as object[];
    expect(label).to.have.all.keys('name', 'color', 'description', 'exclusive');
  });

  it('are 404 for what they do not have', async () => {
    for (const path of ['/gitignore/templates', '/licenses', '/label/templates'])
      for (const name of ['nothing-at-all', '..%2F..%2Fpackage', '__proto__'])
        expect((await api.anonymous.get(`${path}/${name}`)).status, `${path}/${name}`).to.equal(404);
  });
});
