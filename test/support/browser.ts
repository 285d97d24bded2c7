import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

export interface TestPage {
  readonly page: Page;
  /** What the page complained of so far: errors on its console, violations of its policy, and scripts that threw. */
  readonly complaints: readonly string[];
}

const STARTS_WITHIN_MS = 90_000;
/** How long a step may take: an element to come, a page to load. */
const STEP_WITHIN_MS = 60_000;

/** As `setup/system-packages.mjs` knows them: where there are several, the first needs the least. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Promise<Browser> | undefined;

/**
 * Gives `work` an empty page of a profile that nobody else uses, in the one headless Chromium of this process, which is
 * started on first use. The profile is gone when `work` ends.
 */
export async function withPage<T>(
  work: (page: TestPage) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  browser ??= start();
  const context = await (await browser).newContext(options);
  try {
    context.setDefaultTimeout(STEP_WITHIN_MS);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    return await work({ page, complaints });
  } finally {
    await context.close();
  }
}

/** Chromium's files are below a folder of its own, which it takes with it; so it does when this process is ended. */
const start = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executable(),
    args: FLAGS,
    chromiumSandbox: false, // it only meets pages of this project, and often runs as root
    timeout: STARTS_WITHIN_MS,
  });

after('close the browser of the tests', async () => {
  await (await browser)?.close();
});

/** `CHROMIUM`, or the first that the path has. */
function executable(): string {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const folders = PATH.split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (found === undefined)
    throw new Error(
      'no Chromium on this machine: `npm test` without a path installs it, or says how; CHROMIUM names one',
    );
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
