import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.js';

describe('settings of the server', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({
      config: {
        page: { defaultLimit: 30, maxLimit: 40 },
        copies: { forks: false, migrations: true, mirrors: true },
        disableHttpGit: true,
      },
    });
  });
  after(() => api.stop());

  it('are told to whoever asks', async () => {
    const { status, json } = await api.anonymous.get('/settings/api');
    expect(status).to.equal(200);
    expect(json).to.include({ max_response_items: 40, default_paging_num: 30 });
    expect((await api.anonymous.get('/settings/repository')).json).to.deep.equal({
      mirrors_disabled: false,
      http_git_disabled: true,
      migrations_disabled: false,
      stars_disabled: true,
      forks_disabled: true,
      time_tracking_disabled: true,
      lfs_disabled: true,
    });
    expect((await api.anonymous.get('/settings/ui')).json).to.include({ default_theme: '' });
    expect((await api.anonymous.get('/settings/attachment')).json).to.include({ enabled: false });
  });
});
