import { expect } from 'chai';
import { runInNewContext } from 'node:vm';
import { freePort } from '../../../src/start/free-port.js';
import { startApi, type TestApi } from '../../support/api.js';
import { withPage } from '../../support/browser.js';

describe('/api/swagger', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('is whole from this server, with no script in the page and a policy that allows none', async () => {
    const page = await fetch(`${api.url()}/api/swagger`);
    const html = await page.text();
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.match(/default-src 'none'; script-src 'self';/);
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files).to.have.length(4);
    for (const path of files) {
      const file = await fetch(api.url() + path);
      expect([path, file.status, (await file.arrayBuffer()).byteLength > 0]).to.deep.equal([path, 200, true]);
      expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
    }
    expect(html).to.not.match(/<script>|<style|\son\w+=|https?:/);
  });

  /** The address of the description that is shown. */
  const shownBy = async (server: Pick<TestApi, 'url'>): Promise<string> => {
    const script = await (await fetch(`${server.url()}/api/swagger/start.js`)).text();
    return runInNewContext(script, { SwaggerUIBundle: ({ url }: { readonly url: string }) => url }) as string;
  };

  it('starts with the description of this server', async () => {
    expect((await fetch(api.url() + (await shownBy(api)))).status).to.equal(200);
  });

  it('starts whatever the path of a proxy has', async () => {
    const port = await freePort('127.0.0.1');
    const proxied = await api.another({ config: { port, baseUrl: "https://example.org/it's" } });
    expect(await shownBy(proxied)).to.equal("/it's/api/v1/openapi.json");
  });

  it('is whole below the path of a proxy, and describes the API there', async () => {
    const port = await freePort('127.0.0.1');
    const proxied = await api.another({ config: { port, baseUrl: 'https://example.org/forge' } });
    const textOf = async (path: string) => (await fetch(proxied.url() + path)).text();
    const html = await textOf('/api/swagger');
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files).to.have.length(4);
    for (const path of files) expect(path).to.match(/^\/forge\/api\/swagger\/[\w.-]+$/);
    expect(await shownBy(proxied)).to.equal('/forge/api/v1/openapi.json');
    expect(JSON.parse(await textOf('/api/v1/openapi.json'))).to.have.deep.property('servers', [
      { url: '/forge/api/v1' },
    ]);
    expect(JSON.parse(await textOf('/swagger.v1.json'))).to.have.property('basePath', '/forge/api/v1');
  });

  it('shows the operations in a browser, without asking anybody else', async () => {
    await withPage(async ({ page, complaints }) => {
      const elsewhere: string[] = [];
      await page.route('**/*', (route) => {
        const address = route.request().url();
        if (address.startsWith(api.url()) || address.startsWith('data:')) return route.continue();
        elsewhere.push(address);
        return route.abort();
      });
      await page.goto(`${api.url()}/api/swagger#/issues`);
      await page.waitForSelector('.opblock-tag', { timeout: 90_000 });
      const text = await page.evaluate<string>('document.body.innerText');
      expect(text).to.contain('Tallyforge').and.to.contain('issue');
      expect([elsewhere, complaints]).to.deep.equal([[], []]);
    });
  });

  it('serves nothing else of the package, nor what lies beside it', async () => {
    for (const path of [
      '/package.json',
      '/../swagger-ui-dist/package.json',
      '/%2e%2e/package.json',
      'x',
      '/',
    ])
      expect((await fetch(`${api.url()}/api/swagger${path}`)).status, path).to.equal(
        path === '/' ? 200 : 404,
      );
  });
});
