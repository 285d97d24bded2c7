/** The floor of rendering: markdown-it and sanitize-html with few options in the process that answers. */
import Koa from 'koa';
import MarkdownIt from 'markdown-it';
import getRawBody from 'raw-body';
import sanitizeHtml from 'sanitize-html';
import { serve } from './serve.js';

const markdown = new MarkdownIt({ html: true, linkify: true });
const app = new Koa();

app.use(async (context) => {
  const { Text } = JSON.parse(await getRawBody(context.req, 'utf8')) as { readonly Text: string };
  context.type = 'html';
  context.body = sanitizeHtml(markdown.render(Text));
});

serve(app.callback());
