/** The floor of rendering: markdown-it and sanitize-html with few options in the process that answers. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import MarkdownIt from 'markdown-it';
import getRawBody from 'raw-body';
import sanitizeHtml from 'sanitize-html';
import { runChild } from '../../src/start/child.js';

const markdown = new MarkdownIt({ html: true, linkify: true });
const app = new Koa();

app.use(async (context) => {
  const { Text } = JSON.parse(await getRawBody(context.req, 'utf8')) as { readonly Text: string };
  context.type = 'html';
  context.body = sanitizeHtml(markdown.render(Text));
});

const server = app.listen(0, '127.0.0.1');
runChild({
  async start() {
    if (!server.listening) await once(server, 'listening');
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  stop() {
    server.close();
    server.closeAllConnections();
    return Promise.resolve();
  },
});
