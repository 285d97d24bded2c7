import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

describe('markup over HTTP', () => {
  let api: TestApi;
  let ann: TestUser;
  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    for (const name of ['seen', 'unseen'])
      await ann.post('/user/repos', { name, private: name === 'unseen', auto_init: true });
  });
  after(() => api.stop());

  const Text = '[l](x) #1';
  const linkTo = (path: string, attributes = '') =>
    `<a href="${api.url()}/${path}"${attributes} rel="nofollow">`;

  describe('of any kind', () => {
    const markup = (body: unknown) => api.anonymous.post('/markup', body);

    it('is rendered as markdown is, in each of its modes', async () => {
      for (const Mode of ['markdown', 'gfm', 'comment', '', undefined]) {
        const body = { text: `${Text}\nb`, CONTEXT: 'ann/seen', Mode };
        const { status, text, headers } = await markup(body);
        expect(status).to.equal(200);
        expect(text).to.equal((await api.anonymous.post('/markdown', body)).text);
        expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      }
    });

    it('is a document of its repository where the name of a file ends as that of one in markdown', async () => {
      const document = { Text, Context: 'ann/seen', Mode: 'gfm' };
      for (const FilePath of ['README.md', 'docs/A.MARKDOWN', '.mkd'])
        expect((await markup({ ...document, Mode: 'file', FilePath })).text).to.equal(
          (await api.anonymous.post('/markdown', document)).text,
        );
    });

    it('is refused where the mode or the file is of another kind', async () => {
      for (const [body, field] of [
        [{ Mode: 'wiki' }, 'Mode'],
        [{ Mode: 'constructor' }, 'Mode'],
        [{ Mode: 'file' }, 'FilePath'],
        [{ Mode: 'file', FilePath: 'README.org' }, 'FilePath'],
        [{ Mode: 'file', FilePath: 'md' }, 'FilePath'],
        [{ Mode: 'file', FilePath: 1 }, 'Filepath'],
      ] as const) {
        const { status, json } = await markup({ Text, ...body });
        expect(status, JSON.stringify(body)).to.equal(422);
        expect((json as { message: string }).message).to.match(new RegExp(`^\\[${field}\\]: `));
      }
    });

    it('comes as a form as well', async () => {
      const form = new URLSearchParams({ Text: '# a', mode: 'file', FilePath: 'a.md' }).toString();
      const typed = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await api.anonymous.post('/markup', form, typed)).text).to.equal(
        '<h1 id="user-content-a">a</h1>\n',
      );
    });
  });

  describe('in the context of a repository', () => {
    const at = (repository: string) => `/repos/ann/${repository}/markdown`;
    const plain = { 'content-type': 'text/plain' };

    it('has links that are relative to the repository, and its issues in a comment', async () => {
      const comment = await api.anonymous.post(at('seen'), { Text, Mode: 'comment' });
      const issue = linkTo('ann/seen/issues/1', ' class="ref-issue"');
      expect(comment.text).to.equal(`<p>${linkTo('ann/seen/x')}l</a> ${issue}#1</a></p>\n`);
      for (const { text } of [
        await api.anonymous.post(at('seen'), { Text }),
        await api.anonymous.post(`${at('seen')}/raw`, Text, plain),
      ])
        expect(text).to.equal(`<p>${linkTo('ann/seen/x')}l</a> #1</p>\n`);
    });

    it('is the repository also if the context is empty', async () => {
      const { text } = await api.anonymous.post(at('seen'), { Text, Context: '' });
      expect(text).to.equal(`<p>${linkTo('ann/seen/x')}l</a> #1</p>\n`);
    });

    it('is below the folder that a context names', async () => {
      const { text } = await api.anonymous.post(at('seen'), {
        Text,
        Context: 'ann/seen/src/branch/main/docs',
      });
      expect(text).to.equal(`<p>${linkTo('ann/seen/src/branch/main/docs/x')}l</a> #1</p>\n`);
    });

    it('is for whoever sees the repository', async () => {
      for (const path of [at('unseen'), `${at('unseen')}/raw`, at('none'), `${at('none')}/raw`])
        expect((await api.anonymous.post(path, 'a', plain)).status, path).to.equal(404);
      expect((await ann.post(at('unseen'), { Text, Mode: 'gfm' })).text).to.contain('/ann/unseen/x"');
    });

    it('takes no other fields than the same without a repository', async () => {
      for (const body of [{ Text: 1 }, [], ''])
        expect((await ann.post(at('seen'), body)).status).to.equal(422);
    });
  });
});
