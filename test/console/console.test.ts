import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import type { Locator, Page, Request } from 'playwright-core';
import { ADMIN, startApi, type TestApi } from '../support/api.js';
import { withPage } from '../support/browser.js';
import { routeAt } from '../support/described.js';
import { barriers, browse, enter, open, screenshot, shown, signIn } from './browse.js';

const GiB = 2 ** 30;
const PARTS = ['groups', 'rules', 'account/ada', 'history', 'rehearsal', 'activity'];
const BACKGROUND = 'getComputedStyle(document.documentElement).backgroundColor';
const NARROW = { viewport: { width: 360, height: 740 } };
const MARKUP = '<img src=x onerror=alert(1)>';
/** Answers for the members of groups within the page, and counts how many requests for them are open at once. */
const MEMBERS_ANSWERED_IN_PAGE = `
  let open = 0;
  window.mostAtOnce = 0;
  const ask = fetch;
  window.fetch = async (url, options) => {
    if (!/\\/groups\\/[^/]+\\/users$/.test(String(url))) return ask(url, options);
    window.mostAtOnce = Math.max(window.mostAtOnce, ++open);
    await new Promise((done) => setTimeout(done));
    open -= 1;
    return new Response('[]');
  };
`;

describe('the console in a browser', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const { admin } = api;
    for (const name of ['ada', 'grace']) await api.createUser(name);
    const space = { name: 'space', limit: GiB, subjects: ['size:all'] };
    const files = { name: 'files', limit: 40 * GiB, subjects: ['size:git:lfs', 'size:repos:private'] };
    await admin.post('/admin/quota/groups', { name: 'starter', rules: [space, files] });
    await admin.post('/admin/quota/rules', { name: MARKUP, limit: -1, subjects: [] });
    await admin.put('/admin/quota/groups/starter/users/ada');
    await admin.post('/admin/users/ada/repos', { name: 'notes', auto_init: true });
    await admin.patch('/admin/quota/rules/space', { limit: 2 * GiB });
  });
  after(() => api.stop());

  const rules = async () =>
    (await api.admin.get('/admin/quota/rules')).json as { name: string; limit: number | bigint }[];
  const limitOf = async (name: string) => (await rules()).find((rule) => rule.name === name)?.limit;
  const said = (page: Page, text: string) => page.locator('#announcement', { hasText: text }).waitFor();
  const pressTwice = (button: Locator) =>
    button.evaluate((element: { readonly click: () => void }) => {
      element.click();
      element.click();
    });

  describe('signing in', () => {
    it('says so when the password is wrong, and goes on when it is right', () =>
      withPage(async ({ page, complaints }) => {
        await page.goto(`${api.url()}/-/quota`);
        await page.locator(':focus').waitFor(); // a page has loaded before it is first drawn, which gives the focus
        expect(await page.evaluate('document.activeElement.id')).to.equal('username');
        await screenshot(page, 'sign-in');
        await signIn(page, { ...ADMIN, password: 'wrong' });
        await page.getByRole('alert').filter({ hasText: 'The user name or password is wrong.' }).waitFor();
        expect(complaints.join()).to.match(/^Failed to load resource.*401 \(Unauthorized\)$/);
        await signIn(page, ADMIN);
        await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
        expect(complaints).to.have.length(1);
      }));

    it('is not asked for again by a link of another site', () =>
      browse(api, async (page) => {
        const link = `<a href="${api.url()}/-/quota">quotas</a>`;
        await page.route('http://elsewhere.test/', (route) =>
          route.fulfill({ contentType: 'text/html', body: link }),
        );
        await page.goto('http://elsewhere.test/');
        await page.getByRole('link', { name: 'quotas' }).click();
        await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
      }));

    it('leads to the part that the address names', () =>
      withPage(async ({ page }) => {
        await page.goto(`${api.url()}/-/quota#account/ada`);
        await signIn(page, { ...ADMIN, password: 'wrong' });
        await signIn(page, ADMIN);
        await page.getByRole('heading', { name: 'ada over time' }).waitFor();
        expect(new URL(page.url()).hash).to.equal('#account/ada');
      }));

    it('leaves a link of another site at the part that it names', () =>
      browse(api, async (page) => {
        const link = `<a href="${api.url()}/-/quota#account/ada">ada</a>`;
        await page.route('http://elsewhere.test/', (route) =>
          route.fulfill({ contentType: 'text/html', body: link }),
        );
        await page.goto('http://elsewhere.test/');
        await page.getByRole('link', { name: 'ada' }).click();
        await page.getByRole('heading', { name: 'ada over time' }).waitFor();
      }));

    it('is asked for again after signing out, also of the page in another window', () =>
      browse(api, async (page) => {
        const other = await page.context().newPage();
        await other.goto(`${api.url()}/-/quota`);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
        await other.getByRole('link', { name: 'Rules' }).click();
        await other.getByRole('button', { name: 'Sign in' }).waitFor();
      }));
  });

  describe('editing', () => {
    it('touches nothing else where a browser cannot name what is to go', () =>
      browse(api, async (page) => {
        const rule = { name: '..', limit: -1, subjects: [] };
        await api.admin.post('/admin/quota/groups', { name: 'dotted', rules: [rule] });
        await open(page, 'groups');
        await page.getByRole('button', { name: 'Take rule .. out of dotted' }).click();
        await said(page, 'A browser cannot name it');
        expect((await api.admin.get('/admin/quota/groups/dotted')).status).to.equal(200);
        await api.admin.delete('/admin/quota/groups/dotted');
      }));

    it('shows the other groups beside one that a browser cannot name', () =>
      withPage(async ({ page }) => {
        await page.route('**/admin/quota/groups', async (route) => {
          const response = await route.fetch();
          const groups = (await response.json()) as object[];
          await route.fulfill({ response, json: [{ name: '..', rules: [] }, ...groups] });
        });
        await enter(page, api);
        const card = (group: string) => page.getByRole('article', { name: `Group ${group}` });
        await card('starter').getByRole('link', { name: 'ada' }).waitFor();
        await card('..').getByText('A browser cannot ask for them.').waitFor();
      }));

    it('asks for the members of a few groups at once, because a browser fails thousands of requests', () =>
      withPage(async ({ page, complaints }) => {
        const groups = Array.from({ length: 1000 }, (_, index) => ({ name: `crowd-${index}`, rules: [] }));
        await page.route('**/admin/quota/groups', (route) => route.fulfill({ json: groups }));
        await page.addInitScript(MEMBERS_ANSWERED_IN_PAGE);
        await enter(page, api);
        await shown(page, 'groups');
        expect(await page.locator('#groups article').count()).to.equal(1000);
        expect(await page.evaluate('mostAtOnce')).to.equal(10);
        expect(complaints).to.deep.equal([]);
      }));

    it('shows the other groups beside one that somebody else deleted meanwhile', () =>
      withPage(async ({ page }) => {
        await api.admin.post('/admin/quota/groups', { name: 'brief', rules: [] });
        await page.route('**/admin/quota/groups', async (route) => {
          const response = await route.fetch();
          await api.admin.delete('/admin/quota/groups/brief');
          await route.fulfill({ response });
        });
        await enter(page, api);
        const card = (group: string) => page.getByRole('article', { name: `Group ${group}` });
        await card('starter').getByRole('link', { name: 'ada' }).waitFor();
        expect(await card('brief').count()).to.equal(0);
      }));

    it('shows what somebody else has changed once a change is refused for it, and keeps what was typed', () =>
      withPage(async ({ page }) => {
        for (const name of ['first', 'second'])
          await api.admin.post('/admin/quota/groups', { name, rules: [] });
        await enter(page, api);
        const card = (group: string) => page.getByRole('article', { name: `Group ${group}` });
        const name = (group: string) => card(group).getByLabel('User to add');
        await name('second').fill('typed');
        await name('first').fill('grace');
        await api.admin.put('/admin/quota/groups/first/users/grace');
        await page.keyboard.press('Enter');
        await card('first').getByText('Members (1)').waitFor();
        expect(await name('second').inputValue()).to.equal('typed');
        await api.admin.delete('/admin/quota/groups/first');
        await card('first').getByRole('button', { name: 'Remove grace' }).click();
        await card('first').waitFor({ state: 'detached' });
        await api.admin.delete('/admin/quota/groups/second');
      }));

    it('keeps what was typed in a dialog when the session has ended', () =>
      withPage(async ({ page }) => {
        await enter(page, api);
        await page.getByRole('button', { name: 'New group' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill('a long name');
        await page.context().clearCookies();
        await dialog.getByRole('button', { name: 'Create' }).click();
        await dialog.getByText('You are signed out').waitFor();
        expect(await dialog.getByLabel('Name').inputValue()).to.equal('a long name');
      }));

    it('makes a rule, changes it, and deletes it', () =>
      browse(api, async (page) => {
        await open(page, 'rules');
        await page.getByRole('button', { name: 'New rule' }).click();
        const dialog = page.getByRole('dialog', { name: 'New rule' });
        await dialog.getByLabel('Name').fill('lab space');
        await dialog.getByLabel('Limit').fill('1.5 GiB');
        await dialog.getByText('1,610,612,736 bytes').waitFor();
        await screenshot(page, 'new-rule');
        await dialog.getByRole('button', { name: 'Create' }).click();
        await said(page, 'Rule lab space is created.');
        expect(await limitOf('lab space')).to.equal(1.5 * GiB);

        await page.getByRole('button', { name: 'Edit rule lab space' }).click();
        const edit = page.getByRole('dialog', { name: 'Rule lab space' });
        await edit.getByLabel('Limit').fill('1,5 GiB');
        await edit.getByRole('button', { name: 'Save' }).click();
        await edit.getByText('The limit is no size.').waitFor();
        await edit.getByLabel('Limit').fill('1,000,5 GB');
        await edit.getByText('Write 500 MB').waitFor();
        await edit.getByLabel('Limit').fill('unlimited');
        await edit.getByRole('button', { name: 'Save' }).click();
        await said(page, 'Rule lab space is saved.');
        expect(await limitOf('lab space')).to.equal(-1);

        await page.getByRole('button', { name: 'Delete rule lab space' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
        await said(page, 'Rule lab space is deleted.');
        expect(await limitOf('lab space')).to.equal(undefined);
      }));

    it('keeps a limit that no double can hold', () =>
      browse(api, async (page) => {
        const limit = 2n ** 53n + 1n;
        await api.admin.post('/admin/quota/rules', { name: 'exact', limit: 0, subjects: [] });
        await api.admin.patch('/admin/quota/rules/exact', `{"limit":${limit}}`, {
          'content-type': 'application/json',
        });
        await open(page, 'rules');
        await page.getByRole('button', { name: 'Edit rule exact' }).click();
        await page.getByRole('dialog').getByText('9,007,199,254,740,993 bytes').waitFor();
        await page.getByRole('dialog').getByLabel('Limit').fill('9,007,199,254,740,995');
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await said(page, 'Rule exact is saved.');
        expect(await limitOf('exact')).to.equal(limit + 2n);
        await api.admin.delete('/admin/quota/rules/exact');
      }));

    it('changes of a rule what was edited, and keeps what somebody else changed meanwhile', () =>
      browse(api, async (page) => {
        const subjects = ['size:repos:private', 'size:repos:public'];
        await api.admin.post('/admin/quota/rules', { name: 'shared', limit: 1, subjects });
        const edit = async (work: (dialog: Locator) => Promise<void>, meanwhile: object) => {
          await open(page, 'groups');
          await open(page, 'rules');
          await page.getByRole('button', { name: 'Edit rule shared' }).click();
          const dialog = page.getByRole('dialog');
          await api.admin.patch('/admin/quota/rules/shared', meanwhile);
          await work(dialog);
          await dialog.getByRole('button', { name: 'Save' }).click();
          await dialog.waitFor({ state: 'hidden' });
          return (await api.admin.get('/admin/quota/rules/shared')).json;
        };
        const saved = { name: 'shared', limit: 2, subjects: ['size:git:lfs'] };
        expect(
          await edit((dialog) => dialog.getByLabel('Limit').fill('2'), { subjects: saved.subjects }),
        ).to.deep.equal(saved);
        expect(await edit((dialog) => dialog.getByLabel('LFS').uncheck(), { limit: 3 })).to.deep.equal({
          ...saved,
          limit: 3,
          subjects: [],
        });
        await api.admin.delete('/admin/quota/rules/shared');
      }));

    it('adds the rule that was chosen, where blanks alone tell two apart', () =>
      browse(api, async (page) => {
        await api.admin.post('/admin/quota/groups', { name: 'blank', rules: [] });
        const names = ['two  blanks', 'two blanks'];
        for (const name of names)
          await api.admin.post('/admin/quota/rules', { name, limit: 1, subjects: [] });
        await open(page, 'rules');
        await open(page, 'groups');
        const card = page.getByRole('article', { name: 'Group blank' });
        await card.getByLabel('Rule to add').focus();
        await card.getByLabel('Rule to add').selectOption('two  blanks');
        await card.getByRole('button', { name: 'Add rule' }).click();
        await card.getByText('Rules (1)').waitFor();
        const { rules } = (await api.admin.get('/admin/quota/groups/blank')).json as { rules: object[] };
        expect(rules).to.deep.equal([{ name: 'two  blanks', limit: 1, subjects: [] }]);
        await api.admin.delete('/admin/quota/groups/blank');
        for (const name of names) await api.admin.delete(`/admin/quota/rules/${encodeURIComponent(name)}`);
      }));

    it('takes names as long as the API does, and shortens none', () =>
      withPage(async ({ page }) => {
        await enter(page, api);
        const create = async (name: string) => {
          await page.getByRole('button', { name: 'New group' }).click();
          await page.getByRole('dialog').getByLabel('Name').focus();
          await page.keyboard.insertText(name);
          await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
        };
        const longest = '😀'.repeat(255);
        await create(longest);
        await said(page, 'is created');
        const path = `/admin/quota/groups/${encodeURIComponent(longest)}`;
        expect((await api.admin.delete(path)).status).to.equal(204);
        await create('g'.repeat(256));
        await page.getByRole('alert').filter({ hasText: 'at most 255 characters' }).waitFor();
      }));

    it('writes the rules into the list of a group once somebody is at it', () =>
      browse(api, async (page) => {
        await api.admin.post('/admin/quota/groups', { name: 'empty', rules: [] });
        await open(page, 'rules');
        await open(page, 'groups');
        const choice = page.getByLabel('Rule to add to empty');
        expect(await choice.locator('option').count()).to.equal(1);
        await choice.focus();
        const names = (await rules()).map(({ name }) => name);
        expect(await choice.locator('option').allTextContents()).to.deep.equal(names);
        await api.admin.delete('/admin/quota/groups/empty');
      }));

    it('makes a group with a rule and a member, takes them out, and deletes it', () =>
      browse(api, async (page) => {
        await page.getByRole('button', { name: 'New group' }).click();
        await page.getByRole('dialog').getByLabel('Name').fill('lab / 1');
        await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
        await said(page, 'Group lab / 1 is created.');
        const card = page.getByRole('article', { name: 'Group lab / 1' });
        await card.getByLabel('Rule to add').focus();
        await card.getByLabel('Rule to add').selectOption('files');
        await card.getByRole('button', { name: 'Add rule' }).click();
        await card.getByText('Rules (1)').waitFor();
        await card.getByLabel('User to add').fill('grace');
        await card.getByRole('button', { name: 'Add member' }).click();
        await card.getByText('Members (1)').waitFor();
        const members = (await api.admin.get('/admin/quota/groups/lab%20%2F%201/users')).json;
        expect((members as { login: string }[]).map(({ login }) => login)).to.deep.equal(['grace']);

        await card.getByRole('button', { name: 'Remove grace' }).click();
        await card.getByText('Members (0)').waitFor();
        await card.getByRole('button', { name: 'Take rule files out' }).click();
        await card.getByText('Rules (0)').waitFor();
        await card.getByRole('button', { name: 'Delete group' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click();
        await said(page, 'Group lab / 1 is deleted.');
        await card.waitFor({ state: 'detached' });
      }));
  });

  it('does once what is pressed twice', () =>
    browse(api, async (page) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(request.method());
      });
      await api.admin.put('/admin/quota/groups/starter/users/grace');
      await open(page, 'rules');
      await open(page, 'groups');
      await pressTwice(page.getByRole('button', { name: 'Remove grace from starter' }));
      await said(page, 'Done: Remove grace from starter.');
      await page.getByText('Members (1)').waitFor();
      await open(page, 'rehearsal');
      await pressTwice(page.getByRole('button', { name: 'Rehearse' }));
      await said(page, 'The rehearsal is done');
      expect(sent).to.deep.equal(['DELETE', 'POST']);
    }));

  it('says what became of a dialog that was left, and leaves the next one open', () =>
    withPage(async ({ page }) => {
      // From before the page is there: a browser may let requests pass that it makes just as it is told to stop them.
      const held = new EventEmitter();
      await page.route('**/admin/quota/groups', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        const answer = once(held, 'answer');
        held.emit('asked');
        const [status, message] = (await answer) as [number, string];
        return route.fulfill({ status, json: { message } });
      });
      await enter(page, api);
      const newGroup = page.getByRole('button', { name: 'New group' });
      const dialog = page.getByRole('dialog', { name: 'New group' });
      for (const [status, message] of [
        [201, 'Group late is created.'],
        [409, 'it was refused late'],
      ] as const) {
        await newGroup.click();
        await dialog.getByLabel('Name').fill('late');
        const asked = once(held, 'asked');
        await dialog.getByRole('button', { name: 'Create' }).click();
        await asked;
        await page.keyboard.press('Escape');
        await newGroup.click();
        await dialog.getByLabel('Name').fill('next');
        held.emit('answer', status, message);
        await said(page, message);
        expect(await dialog.getByLabel('Name').inputValue()).to.equal('next');
        await page.keyboard.press('Escape');
      }
    }));

  it('says why something was refused', () =>
    withPage(async ({ page }) => {
      await enter(page, api);
      const card = page.getByRole('article', { name: 'Group starter' });
      const shown = await card.getByLabel('User to add').elementHandle();
      await card.getByLabel('User to add').fill('nobody');
      await card.getByRole('button', { name: 'Add member' }).click();
      await said(page, 'no such');
      await shown.waitForElementState('hidden'); // until the card is shown anew, as after each such refusal
      await card.getByLabel('User to add').fill('  ');
      await card.getByRole('button', { name: 'Add member' }).click();
      await card.locator('input:invalid').waitFor();
      expect(await page.locator('#announcement').textContent()).to.include('no such');
      await page.getByRole('button', { name: 'New group' }).click();
      const dialog = page.getByRole('dialog', { name: 'New group' });
      await dialog.getByLabel('Name').fill('starter');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'exists' }).waitFor();
    }));

  it('shows the past over the whole page, in which nothing can be edited, and comes back', () =>
    browse(api, async (page) => {
      const limit = page.getByRole('article', { name: 'Group starter' }).getByText('GiB').first();
      const space = page.locator('article[aria-label="Group starter"] li', { hasText: 'space' });
      expect(await space.innerText()).to.include('2 GiB');
      await limit.waitFor();
      const [newest] = (await api.admin.get('/admin/quota/history?rule=space&limit=1')).json as {
        position: number;
      }[];
      const before = page.getByRole('button', { name: 'Change before' });
      const asOf = (request: Request) => Number(new URL(request.url()).searchParams.get('as_of') ?? Infinity);
      // Once what can be stepped through is there: back to the change, and once more to what was before it. An earlier
      // step may still be asking.
      await page.locator('#marks i').first().waitFor({ state: 'attached' });
      for (let at = Infinity; at >= (newest?.position ?? 0);) {
        const earlier = page.waitForRequest((request) => asOf(request) < at);
        await before.click();
        at = asOf(await earlier);
      }
      await space.filter({ hasText: '1 GiB' }).waitFor();
      await page.getByText('This is the past').waitFor();
      expect(await page.getByRole('button', { name: 'New group' }).isVisible()).to.equal(false);
      expect(await page.getByRole('button', { name: /^(Remove|Take|Delete|Add)/ }).count()).to.equal(0);
      await screenshot(page, 'past');
      await open(page, 'rules');
      await page.getByRole('row', { name: 'space' }).filter({ hasText: '1 GiB' }).waitFor();
      await open(page, 'rehearsal');
      await page.getByText('A rehearsal is of today').waitFor();
      expect(await page.getByRole('button', { name: 'Rehearse' }).isVisible()).to.equal(false);
      await open(page, 'rules');

      await page.getByLabel('As of').focus();
      await page.keyboard.press('Home');
      await page.getByText('There are no rules.').waitFor();
      await page.getByRole('button', { name: 'Now', exact: true }).click();
      await page.getByRole('row', { name: 'space' }).filter({ hasText: '2 GiB' }).waitFor();
      expect(await page.evaluate('document.activeElement.id')).to.equal('as-of');
    }));

  it('shows nothing of another moment, and changes nothing, where the past does not answer', () =>
    withPage(async ({ page }) => {
      let isHeld = false;
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/admin/quota/groups?as_of=*', async (route) => {
        isHeld = true;
        await answered;
        await route.fulfill({ status: 503, json: { message: 'too busy' } });
      });
      await enter(page, api);
      const remove = page.getByRole('button', { name: 'Take rule space out of starter' });
      await remove.waitFor();
      await page.locator('#marks i').first().waitFor({ state: 'attached' });
      const asked = page.waitForRequest('**/admin/quota/groups?as_of=*');
      await page.getByRole('button', { name: 'Change before' }).click();
      await asked;
      await remove.click();
      await said(page, 'The past cannot be edited.');
      expect(isHeld).to.equal(true);
      answer();
      await page.getByRole('alert').filter({ hasText: 'too busy' }).waitFor();
      expect(await remove.isVisible()).to.equal(false);
      await page.getByRole('button', { name: 'Now', exact: true }).click();
      await remove.waitFor();
    }));

  it('stays at the moment that a button chose, even right after the slider was moved', () =>
    withPage(async ({ page }) => {
      await page.clock.install();
      await enter(page, api, 'rules');
      await page.locator('#marks i').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Change before' }).click();
      await page.getByText('This is the past').waitFor();
      await page.evaluate(`(() => {
        const slider = document.querySelector('#as-of');
        slider.value = '500';
        slider.dispatchEvent(new Event('input'));
        document.querySelector('#now').click();
      })()`);
      await page.clock.runFor('00:01');
      expect(await page.locator('#as-of-text').textContent()).to.equal('now');
    }));

  it('reaches back to the first change, however many there are', () =>
    withPage(async ({ page }) => {
      const change = (at: string) => ({ position: 1, at, type: '', groups: [], rules: [] });
      await page.route('**/admin/quota/history?*', (route) => {
        const query = new URL(route.request().url()).searchParams;
        const isLast = query.get('limit') === '1' && query.get('page') === '1000';
        const changes = isLast
          ? [change('2020-01-02T00:00:00Z')]
          : Array.from({ length: 50 }, () => change(new Date().toISOString()));
        return route.fulfill({ headers: { 'x-total-count': '1000' }, json: changes });
      });
      await enter(page, api);
      await page.locator('#marks i').first().waitFor({ state: 'attached' });
      const asked = page.waitForRequest('**/admin/quota/groups?as_of=20*');
      await page.getByLabel('As of').focus();
      await page.keyboard.press('Home');
      expect(new URL((await asked).url()).searchParams.get('as_of')).to.match(/^20(?:19|20)-/);
      await page.getByText('There are no groups.').waitFor();
    }));

  it('tells the history with what was before and after, filtered', () =>
    browse(api, async (page) => {
      await open(page, 'history');
      const edit = page.getByRole('listitem').filter({ hasText: 'Rule space was edited' });
      expect(await edit.innerText()).to.match(/root\s+limit\s+1 GiB → 2 GiB/);
      await screenshot(page, 'history');
      await page.getByRole('combobox', { name: 'Account' }).fill('ada');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByText('1 to 1 of 1 changes').waitFor();
      await page.getByText('ada joined group starter').waitFor();
    }));

  it('tells a change of a limit to the byte', () =>
    browse(api, async (page) => {
      await api.admin.post('/admin/quota/rules', { name: 'by one', limit: GiB, subjects: [] });
      await api.admin.patch('/admin/quota/rules/by%20one', { limit: GiB + 1 });
      await open(page, 'history');
      const edit = page.getByRole('listitem').filter({ hasText: 'Rule by one was edited' });
      expect(await edit.innerText()).to.match(/limit\s+1 GiB → 1073741825 B/);
      await api.admin.delete('/admin/quota/rules/by%20one');
    }));

  it('takes blanks around the name of an account in the history for none', () =>
    browse(api, async (page) => {
      await open(page, 'history');
      await page.locator('#history').getByLabel('Account').fill(' ada ');
      await page.getByRole('button', { name: 'Filter' }).click();
      const found = (text: string) => page.locator('#history .what', { hasText: text });
      await found('Rule').first().waitFor({ state: 'detached' });
      await found('ada joined group starter').waitFor();
    }));

  it('turns no page too many of the history, and has one to show where the past had fewer', () =>
    browse(api, async (page) => {
      for (let limit = 1; limit <= 25; limit += 1)
        await api.admin.patch('/admin/quota/rules/files', { limit: limit * GiB });
      await open(page, 'history');
      const where = (text: RegExp) => page.locator('#history p').filter({ hasText: text }).waitFor();
      await where(/^1 to 20 of/);
      await pressTwice(page.getByRole('button', { name: 'Older' }));
      await where(/^21 to \d+ of/);
      expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).to.equal(true);
      await page.getByLabel('As of').focus();
      await page.keyboard.press('Home');
      await where(/^No changes/);
      await page.getByRole('button', { name: 'Now', exact: true }).click();
      await where(/^1 to 20 of/);
      await page.getByRole('button', { name: 'Older' }).click();
      await where(/^21 to \d+ of/);
      await pressTwice(page.getByRole('button', { name: 'Newer' }));
      await where(/^1 to 20 of/);
      expect(await page.getByRole('button', { name: 'Newer' }).isDisabled()).to.equal(true);
      await api.admin.patch('/admin/quota/rules/files', { limit: 40 * GiB });
    }));

  it('turns pages of the history that are as short as the server has them', () =>
    browse(api, async (page) => {
      for (let limit = 1; limit <= 11; limit += 1)
        await api.admin.patch('/admin/quota/rules/files', { limit: limit * GiB });
      await api.admin.patch('/admin/quota/rules/files', { limit: 40 * GiB });
      await page.route('**/settings/api', (route) => route.fulfill({ json: { max_response_items: 10 } }));
      await open(page, 'history');
      const where = (text: RegExp) => page.locator('#history p').filter({ hasText: text }).waitFor();
      await where(/^1 to 10 of/);
      await page.getByRole('button', { name: 'Older' }).click();
      await where(/^11 to 20 of/);
    }));

  it('explains why an account may store something, or may not', () =>
    browse(api, async (page) => {
      await open(page, 'account/ada');
      await page.getByText('group starter allows it').waitFor();
      await page.getByLabel('As much as').fill('3 GiB');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page
        .getByText('3 GiB under Public repositories: rule space of group starter refuses it.')
        .waitFor();
    }));

  it('shows no explanation of another account', () =>
    browse(api, async (page) => {
      await open(page, 'account/ada');
      await page.getByText('group starter allows it').waitFor();
      await page.getByLabel('As much as').fill('much');
      await open(page, 'account/grace');
      await page.getByRole('heading', { name: 'grace over time' }).waitFor();
      await page.getByText('Write a size such as 500 MB.').waitFor();
      expect(await page.getByText('group starter allows it').count()).to.equal(0);
    }));

  it('names in its address the account that it still shows', () =>
    browse(api, async (page) => {
      await open(page, 'account/ada');
      await page.getByRole('link', { name: 'Account' }).click();
      await page.waitForURL('**/-/quota#account/ada');
      await page.reload();
      await page.getByRole('heading', { name: 'ada over time' }).waitFor();
    }));

  it('shows the account whose name was typed when another time is chosen', () =>
    browse(api, async (page) => {
      await open(page, 'account/ada');
      await page.getByLabel('User or organization').fill('grace');
      await page.getByLabel('Usage over', { exact: true }).selectOption('A year');
      await page.getByRole('heading', { name: 'grace over time' }).waitFor();
      expect(await page.getByLabel('User or organization').inputValue()).to.equal('grace');
    }));

  it('draws what an account stored, with its limits', () =>
    browse(api, async (page) => {
      await page.evaluate(NOTE_DRAWN);
      await open(page, 'account/ada');
      const figure = page.getByRole('figure');
      await figure.locator('canvas').waitFor();
      await page.waitForFunction(PAINTED);
      await page.waitForFunction('drawn.marks > 0');
      const { texts } = await page.evaluate<{ texts: string[] }>('drawn');
      expect(texts, 'limits, each for as long as it applied').to.include.members([
        ...['\u2068space\u2069 · 1 GiB', '\u2068space\u2069 · 2 GiB'],
      ]);
      await figure.getByText(/B stored at the end/).waitFor();
      const limits = page.getByRole('region', { name: 'Limits in this time' }).getByRole('row');
      await limits.filter({ hasText: '2 GiB' }).filter({ hasText: 'still' }).waitFor();
      await limits.filter({ hasText: '1 GiB' }).waitFor();
    }));

  it('asks nobody but this server, and nothing but the API that is described', () =>
    browse(api, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        const { origin, pathname, search } = new URL(request.url());
        if (origin === api.url() && pathname.startsWith('/-/quota/assets/')) return;
        const [, path] = /^\/api\/v1(\/.*)$/.exec(pathname) ?? [];
        const route = path && origin === api.url() ? routeAt(request.method(), path) : undefined;
        asked.push(route?.id ?? `${request.method()} ${origin}${pathname}${search}`);
      });
      for (const part of PARTS) await open(page, part);
      await open(page, 'rules');
      await page.getByRole('button', { name: 'Edit rule space' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await said(page, 'Rule space is saved.');
      await open(page, 'rehearsal');
      await page.getByRole('button', { name: 'Rehearse' }).click();
      await said(page, 'The rehearsal is done');
      expect(asked).to.include.members([
        'adminEditQuotaRule',
        'adminRehearseQuotas',
        'adminExplainUserQuota',
      ]);
      expect(asked.filter((id) => !/^\w+$/.test(id))).to.deep.equal([]);
    }));

  it('rehearses limits, and changes nothing', () =>
    browse(api, async (page) => {
      await open(page, 'rehearsal');
      await page.getByLabel('space', { exact: true }).fill('0 B');
      await page.getByRole('button', { name: 'Rehearse' }).click();
      await page.getByRole('heading', { name: '1 would be over today' }).waitFor();
      const over = page.getByRole('region', { name: 'Who would be over today' }).getByRole('row');
      await over.filter({ hasText: 'ada' }).filter({ hasText: 'space of starter' }).waitFor();
      await page.getByRole('heading', { name: /operations would have been refused/ }).waitFor();
      await screenshot(page, 'rehearsed');
      await page.getByText('More:').click();
      await page.getByLabel('As JSON').fill('{ "groups": ');
      await page.getByRole('button', { name: 'Rehearse' }).click();
      await page.getByRole('alert').filter({ hasText: 'JSON' }).waitFor();
      for (const [json, message] of [
        ['[{ "name": "space", "limit": 1, "subjects": ["size:all"] }]', 'must be an object'],
        ['{ "rule": [] }', 'rule is none of'],
        ['{ "rules": {} }', 'rules must be a list'],
      ] as const) {
        await page.getByLabel('As JSON').fill(json);
        await page.getByRole('button', { name: 'Rehearse' }).click();
        await page.getByRole('alert').filter({ hasText: message }).waitFor();
      }
      await page.getByLabel('As JSON').fill('{ "days": 30 }');
      const asked = page.waitForRequest('**/admin/quota/rehearsals');
      await page.getByRole('button', { name: 'Rehearse' }).click();
      expect((await asked).postDataJSON()).to.have.property('days', 30);
      expect(await limitOf('space')).to.equal(2 * GiB);
    }));

  it('tells in a rehearsal of accounts that are gone as of those', () =>
    browse(api, async (page) => {
      await api.createUser('erased');
      await api.admin.post('/admin/users/erased/repos', { name: 'notes', auto_init: true });
      expect((await api.admin.delete('/admin/users/erased?purge=true&erase=true')).status).to.equal(204);
      await open(page, 'rehearsal');
      await page.getByText('More:').click();
      const rules = [{ name: 'shut', limit: 0, subjects: ['size:all'] }];
      const groups = [{ name: 'shut', rules: ['shut'] }];
      await page.getByLabel('As JSON').fill(JSON.stringify({ rules, groups, default_groups: ['shut'] }));
      await page.getByRole('button', { name: 'Rehearse' }).click();
      const refused = page.getByRole('region', { name: 'What would have been refused' });
      await refused.getByText('an account that is gone').waitFor();
    }));

  it('tells who stores most, and who was turned away', () =>
    browse(api, async (page) => {
      await api.admin.post('/admin/quota/groups', {
        name: 'full',
        rules: [{ name: 'nothing more', limit: 0, subjects: ['size:all'] }],
      });
      await api.admin.put('/admin/quota/groups/full/users/grace');
      const { status } = await api.admin.post('/admin/users/grace/repos', {
        name: 'refused',
        auto_init: true,
      });
      expect(status).to.equal(413);
      await api.shown();
      await open(page, 'activity');
      await page.getByRole('region', { name: 'Top consumers' }).getByRole('row', { name: 'ada' }).waitFor();
      const refusals = page.getByRole('region', { name: 'Refusals' }).getByRole('row', { name: 'grace' });
      await refusals.filter({ hasText: 'nothing more of full' }).waitFor();
      await screenshot(page, 'activity');
      await api.admin.delete('/admin/quota/groups/full');
    }));

  it('says how many there are where it shows the first of them', () =>
    browse(api, async (page) => {
      await page.route('**/admin/quota/refusals?*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': '312' } });
      });
      await open(page, 'activity');
      await page.getByText(/^The first \d+ of 312\.$/).waitFor();
    }));

  it('tells who stores most and who has nearly filled a limit, as of the moment', () =>
    browse(api, async (page) => {
      await api.createUser('hopper');
      await api.admin.post('/admin/users/hopper/repos', { name: 'notes', auto_init: true });
      const write = async (name: string, bytes: number) => {
        const file = { content: randomBytes(bytes).toString('base64') };
        expect((await api.admin.post(`/repos/hopper/notes/contents/${name}`, file)).status).to.equal(201);
      };
      await write('large', 60_000);
      await api.admin.post('/admin/quota/groups', {
        name: 'snug',
        rules: [{ name: 'just enough', limit: 72_000, subjects: ['size:repos:public'] }],
      });
      await api.admin.put('/admin/quota/groups/snug/users/hopper');
      await open(page, 'activity');
      await page.getByText('Nobody has reached 80 % of a limit.').waitFor();
      await write('small', 10);
      await open(page, 'rules');
      await open(page, 'activity');
      const table = page.getByRole('region', { name: 'Nearly full' });
      await table.getByRole('row', { name: 'hopper' }).filter({ hasText: '80 %' }).waitFor();
      await table.getByText('just enough of snug').first().waitFor();
      await screenshot(page, 'nearly-full');
      const largest = page.getByRole('region', { name: 'Top consumers' });
      await largest.getByRole('row', { name: 'hopper' }).waitFor();
      await page.getByRole('button', { name: 'Change before' }).click();
      await page.getByText('Nobody has reached 80 % of a limit.').waitFor(); // the page knows the changes since it began
      await largest.getByRole('row', { name: 'ada' }).waitFor();
      expect(await largest.getByRole('row', { name: 'hopper' }).count()).to.equal(0);
      await page.getByLabel('As of').focus();
      await page.keyboard.press('Home');
      await page.getByText('Nobody stores anything.').waitFor();
    }));

  it('shows names as they are written, markup or not', () =>
    browse(api, async (page) => {
      await open(page, 'rules');
      await page.getByRole('row').getByText(MARKUP).waitFor();
      expect(await page.locator('main img').count()).to.equal(0);
    }));

  it('leaves the words after a name where they are, whatever the direction of the name', () =>
    browse(api, async (page) => {
      await api.admin.post('/admin/quota/rules', { name: 'turn\u202eed', limit: 1, subjects: [] });
      await open(page, 'history');
      await page.locator('#history .what', { hasText: 'turn' }).waitFor();
      expect(await page.evaluate(ENDS_FORWARDS)).to.equal(true);
      await api.admin.delete(`/admin/quota/rules/${encodeURIComponent('turn\u202eed')}`);
    }));

  describe('for everybody', () => {
    for (const [name, options] of [
      ['narrow', NARROW],
      ['wide', {}],
    ] as const) {
      it(`fits, and keeps nobody out, in the light or in the dark: ${name}`, () =>
        browse(
          api,
          async (page) => {
            for (const part of PARTS) {
              await open(page, part);
              const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
              expect(width, part).to.be.at.most(0);
              for (const [colorScheme, color] of [
                ['light', 'rgb(246, 245, 241)'],
                ['dark', 'rgb(19, 24, 26)'],
              ] as const) {
                await page.emulateMedia({ colorScheme });
                expect(await barriers(page), `${part}, ${colorScheme}`).to.deep.equal([]);
                expect(await page.evaluate(BACKGROUND)).to.equal(color);
                await screenshot(page, `${part.split('/', 1)[0] ?? ''}-${name}-${colorScheme}`);
              }
            }
          },
          options,
        ));
    }

    it('fits names of 255 characters without a blank, and keeps the buttons of dialogs in sight', () =>
      browse(
        api,
        async (page) => {
          const [group, name] = ['g'.repeat(255), 'r'.repeat(255)];
          await api.admin.post('/admin/quota/groups', {
            name: group,
            rules: [{ name, limit: 1, subjects: ['size:all'] }],
          });
          await api.admin.put(`/admin/quota/groups/${group}/users/ada`);
          const fits = async (what: string) => expect(await page.evaluate(TOO_WIDE), what).to.equal('');
          for (const part of PARTS) {
            await open(page, part);
            await fits(part);
          }
          await open(page, 'rules');
          await page.getByRole('button', { name: `Edit rule ${name}` }).click();
          await fits('editing');
          await page.getByRole('button', { name: 'Save' }).click();
          await said(page, 'is saved');
          await fits('announcing');
          await open(page, 'groups');
          await page.getByRole('button', { name: `Delete group ${group}` }).click();
          await fits('deleting');
          await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click();
          await said(page, 'is deleted');
          await api.admin.delete(`/admin/quota/rules/${name}`);
        },
        NARROW,
      ));

    it('works by keyboard alone', () =>
      browse(api, async (page) => {
        const focused = () => page.evaluate('document.activeElement.textContent');
        const ring = () => page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
        const tabTo = async (text: string) => {
          for (let steps = 0; steps < 40; steps += 1) {
            await page.keyboard.press('Tab');
            expect(await ring()).not.to.equal('none');
            if ((await focused()) === text) return;
          }
          throw new Error(`no way to ${text}`);
        };
        await page.keyboard.press('Tab');
        expect(await focused()).to.equal('Skip to the content');
        await tabTo('Rules');
        await page.keyboard.press('Enter');
        await shown(page, 'rules');
        await page.getByText('Skip to the content').focus();
        await page.keyboard.press('Enter');
        expect(await page.evaluate('document.activeElement.id')).to.equal('main');
        await shown(page, 'rules');
        expect(await page.locator('#groups').isVisible()).to.equal(false);
        await tabTo('New rule');
        await page.keyboard.press('Enter');
        await page.keyboard.type('by hand');
        await page.keyboard.press('Enter');
        await said(page, 'Rule by hand is created.');
        expect(await focused()).to.equal('New rule');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Escape');
        expect(await focused()).to.equal('New rule');
        await api.admin.delete('/admin/quota/rules/by%20hand');
      }));

    it('keeps the focus where something was changed', () =>
      browse(api, async (page) => {
        const label = () =>
          page.evaluate<string | null>(
            'document.activeElement.getAttribute("aria-label") ?? document.activeElement.id',
          );
        const card = page.getByRole('article', { name: 'Group starter' });
        await card.getByLabel('User to add').fill('grace');
        await page.keyboard.press('Enter');
        await card.getByText('Members (2)').waitFor();
        expect(await label()).to.equal('User to add to starter');
        await card.getByRole('button', { name: 'Remove grace' }).focus();
        await page.keyboard.press('Enter');
        await card.getByText('Members (1)').waitFor();
        expect(await label()).to.equal('Group starter');

        await open(page, 'rules');
        await page.getByRole('button', { name: 'Edit rule space' }).focus();
        await page.keyboard.press('Enter');
        const reloaded = page.waitForResponse('**/admin/quota/rules');
        await page.keyboard.press('Enter');
        await said(page, 'Rule space is saved.');
        await reloaded;
        await shown(page, 'rules');
        expect(await label()).to.equal('Edit rule space');
      }));
  });
});

/** What is wider than its place: the page, a dialog, an announcement. What scrolls by itself is none of them. */
const TOO_WIDE = `['html', 'dialog[open]', '.shown']
  .flatMap((name) => [...document.querySelectorAll(name)])
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ tagName, id }) => tagName + id).join()`;

/** Whether the last letters of the newest change, which come after a name, run from left to right. */
const ENDS_FORWARDS = `(() => {
  const walker = document.createTreeWalker(document.querySelector('#history .what'), NodeFilter.SHOW_TEXT);
  const text = walker.lastChild();
  const left = (index) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect().left;
  };
  return left(text.length - 2) < left(text.length - 1);
})()`;

/** Has the page note what is written into plots, and how many dots mark something there. */
const NOTE_DRAWN = `(() => {
  const { prototype } = CanvasRenderingContext2D;
  const { arc, fillText } = prototype;
  globalThis.drawn = { texts: [], marks: 0 };
  prototype.fillText = function (text, ...place) {
    drawn.texts.push(text);
    return fillText.call(this, text, ...place);
  };
  prototype.arc = function (...circle) {
    drawn.marks += 1;
    return arc.call(this, ...circle);
  };
})()`;

/** Whether the plot has anything on it. */
const PAINTED = `(() => {
  const canvas = document.querySelector('figure canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value) => value !== 0);
})()`;
