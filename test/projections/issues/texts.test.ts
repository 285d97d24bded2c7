import { expect } from 'chai';
import { issues } from '../../../projections/issues/issues.js';
import { schemaOf } from '../../../projections/projection.js';
import { startApi, type TestApi } from '../../support/api.js';

const REPO = '/repos/root/project';
const LABEL = { name: 'bug', color: 'ff0000' };

/** Words are indexed for searches, which costs much more than all else that a comment changes. */
describe('the words of an issue', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
    await ask('POST', '/user/repos', { name: 'project' });
    await ask('POST', `${REPO}/labels`, LABEL);
    await ask('POST', `${REPO}/issues`, { title: 'it does not work', body: 'what happens, and what should' });
  });
  after(() => api.stop());

  const ask = async (method: string, path: string, body: unknown): Promise<void> => {
    const { status, text } = await api.admin.send(method, path, body);
    expect(status, text).to.be.within(200, 299);
  };
  /** Of its only row: another one after each update. */
  const versionOfRow = async () => {
    const [row] = await api.connections.db.rows<{ version: string }>(
      `select xmin::text as version from ${schemaOf(issues)}.issue_texts`,
    );
    return row?.version;
  };

  for (const [what, method, path, body] of [
    ['is commented', 'POST', 'issues/1/comments', { body: 'so it is' }],
    ['gets a label', 'POST', 'issues/1/labels', { labels: [LABEL.name] }],
    ['gets somebody', 'PATCH', 'issues/1', { assignees: ['root'] }],
    ['is closed', 'PATCH', 'issues/1', { state: 'closed' }],
  ] as const)
    it(`stay as they were written when it ${what}`, async () => {
      const before = await versionOfRow();
      await ask(method, `${REPO}/${path}`, body);
      expect(await versionOfRow()).to.equal(before);
    });

  it('are written again when they change', async () => {
    const before = await versionOfRow();
    await ask('PATCH', `${REPO}/issues/1`, { title: 'it works' });
    expect(await versionOfRow()).to.not.equal(before);
  });
});
