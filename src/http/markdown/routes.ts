import { anyone } from '../access.js';
import { repositoryAt, type RepositoryMet } from '../repositories/place.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { readOption, readSource } from './body.js';
import { markdownMode, markupMode } from './modes.js';
import { rendered } from './rendered.js';
import { HtmlFragment, MarkdownOption, MarkdownText, MarkupOption } from './schema.js';

const answers = { 200: HtmlFragment, 413: problem, 422: problem };

/** What is the same of the routes that render a text for whoever asks. */
const forAnyone = { method: 'POST', changesNothing: true, access: anyone, scope: 'none', answers } as const;

/** What is the same of those that do so in the context of a repository. */
const inRepository = {
  ...forAnyone,
  scope: 'repository',
  parent: repositoryAt,
  answers: { ...answers, 403: problem, 404: problem },
} as const;

export const markdownRoutes = [
  route({
    ...forAnyone,
    id: 'renderMarkdown',
    path: '/markdown',
    body: MarkdownOption,
    readBody: readOption,
    handle: (request) => rendered(request, sourceOf(request.body)),
  }),

  route({
    ...forAnyone,
    id: 'renderMarkdownRaw',
    path: '/markdown/raw',
    body: MarkdownText,
    readBody: readSource,
    handle: (request) => rendered(request, { text: request.body, mode: 'markdown' }),
  }),

  /** As `renderMarkdown`, also of a file by its name; a mode that it does not know is refused. */
  route({
    ...forAnyone,
    id: 'renderMarkup',
    path: '/markup',
    body: MarkupOption,
    readBody: readOption,
    handle: (request) => {
      const { mode, filepath } = request.body;
      return rendered(request, { ...sourceOf(request.body), mode: markupMode(mode, filepath) });
    },
  }),

  /** As `renderMarkdown`, whose context is the repository unless the body says another. */
  route({
    ...inRepository,
    id: 'repoRenderMarkdown',
    path: '/repos/{owner}/{repo}/markdown',
    body: MarkdownOption,
    readBody: readOption,
    handle: (request) =>
      rendered(request, {
        ...sourceOf(request.body),
        context: request.body.context ?? nameOf(request.parent),
      }),
  }),

  /** As `renderMarkdownRaw`, with links that are relative to the repository. */
  route({
    ...inRepository,
    id: 'repoRenderMarkdownRaw',
    path: '/repos/{owner}/{repo}/markdown/raw',
    body: MarkdownText,
    readBody: readSource,
    handle: (request) =>
      rendered(request, { text: request.body, mode: 'markdown', context: nameOf(request.parent) }),
  }),
];

const sourceOf = ({ text = '', mode, context, wiki }: MarkdownOption) => ({
  text,
  mode: markdownMode(mode),
  context,
  wiki,
});

const nameOf = ({ repository: { owner, name } }: RepositoryMet) => `${owner.name ?? ''}/${name}`;
