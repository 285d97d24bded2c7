import { invalid } from '../../domain/errors.js';
import { nothingKnown, type MarkdownMode } from '../../markdown/job.js';
import { parsedUrl } from '../../values/parsed-url.js';
import { withoutEnd } from '../../values/without-end.js';
import { anyone } from '../access.js';
import { Html } from '../answers/answer.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { readOption, readSource } from './body.js';
import { referencesIn } from './references.js';
import { HtmlFragment, MarkdownOption, MarkdownText } from './schema.js';

const answers = { 200: HtmlFragment, 413: problem, 422: problem };

export const markdownRoutes = [
  route({
    id: 'renderMarkdown',
    method: 'POST',
    changesNothing: true,
    path: '/markdown',
    access: anyone,
    scope: 'none',
    body: MarkdownOption,
    readBody: readOption,
    answers,
    async handle({ body, caller, client, context: { requestId }, db, services }) {
      const { markdown, git, config } = services;
      const { text = '', context = '', wiki = false } = body;
      checkSize(text, config.maxMarkdownBytes);
      const mode = modeOf(body.mode);
      const place = repositoryIn(context, config.baseUrl);
      const references =
        mode === 'markdown'
          ? { repository: undefined, known: nothingKnown }
          : await referencesIn({ db, git, caller }, text, place);
      return new Html(
        await markdown.render(
          {
            text,
            mode,
            wiki,
            baseUrl: config.baseUrl,
            linkBase: linkBaseOf(context, config.baseUrl),
            ...references,
          },
          client,
          requestId,
        ),
      );
    },
  }),

  route({
    id: 'renderMarkdownRaw',
    method: 'POST',
    changesNothing: true,
    path: '/markdown/raw',
    access: anyone,
    scope: 'none',
    body: MarkdownText,
    readBody: readSource,
    answers,
    async handle({ body, client, context: { requestId }, services }) {
      const { markdown, config } = services;
      checkSize(body, config.maxMarkdownBytes);
      return new Html(
        await markdown.render(
          {
            text: body,
            mode: 'markdown',
            wiki: false,
            baseUrl: config.baseUrl,
            linkBase: '',
            repository: undefined,
            known: nothingKnown,
          },
          client,
          requestId,
        ),
      );
    },
  }),
];

function checkSize(text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes)
    throw invalid('markdown.size', 'Text', `must have ${maxBytes} bytes at most`);
}

const modeOf = (word: string | undefined): MarkdownMode =>
  word === 'gfm' || word === 'comment' ? word : 'markdown';

/** Returns the address that relative links are based on; empty if the context names none. */
function linkBaseOf(context: string, baseUrl: string): string {
  const trimmed = withoutEnd(context.trim(), '/');
  if (/^https?:\/\//i.test(trimmed)) return parsedUrl(trimmed) ? trimmed : '';
  const path = trimmed.replace(/^\/+/, '');
  return path === '' || path.includes(':') ? '' : `${baseUrl}/${path}`;
}

/** Returns `owner/name` if the context begins with a repository of this site. */
function repositoryIn(context: string, baseUrl: string): string | undefined {
  const path = context.startsWith(`${baseUrl}/`) ? context.slice(baseUrl.length) : context;
  return /^\/*([\w.-]{1,100}\/[\w.-]{1,100})(?:\/|$)/.exec(path.trim())?.[1];
}
