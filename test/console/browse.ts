import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ADMIN, type TestApi } from '../support/api.js';
import { withPage } from '../support/browser.js';
import { Visitor } from './visitor.js';

/** For looking at, after a run; git ignores it. */
const SCREENSHOTS = fileURLToPath(new URL('../../../test-output/screenshots/', import.meta.url));

export async function screenshot(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)'); // or what sticks to the top is drawn where the page was scrolled to
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
}

export async function signIn(page: Page, { username, password }: typeof ADMIN): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Opens the console in a session of the administrator that has begun: to sign in by the page takes a second page, and what
 * a hash of a password takes.
 */
export async function enter(page: Page, api: Pick<TestApi, 'url'>, part = ''): Promise<void> {
  const visitor = new Visitor(api);
  await visitor.signIn(ADMIN);
  const [name = '', value = ''] = visitor.cookie.split('=');
  await page.context().addCookies([{ name, value, url: api.url(), httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(`${api.url()}/-/quota${part && `#${part}`}`);
}

/** Shows a part of the console, once what it shows has arrived. */
export async function open(page: Page, part: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(part)}`);
  await shown(page, part.split('/', 1)[0] ?? '');
}

/** A new address is only acted on in a later turn of the page: before its section shows, nothing is busy yet. */
export async function shown(page: Page, section: string): Promise<void> {
  await page.locator(`#${section}:not([hidden])`).waitFor();
  await settled(page);
}

const settled = (page: Page) => page.locator('main:not([aria-busy])').waitFor();

/** Opens the console as the administrator, and fails where the page complained of anything. */
export async function browse(
  api: TestApi,
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await withPage(async ({ page, complaints }) => {
    await enter(page, api);
    await page.locator('main > section:not([hidden])').waitFor();
    await settled(page);
    await work(page);
    expect(complaints).to.deep.equal([]);
  }, options);
}

/** What keeps somebody from using the page as it is shown now, by WCAG and good practice: each rule and where it is broken. */
export async function barriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
