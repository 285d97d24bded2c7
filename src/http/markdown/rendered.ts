import { invalid } from '../../domain/errors.js';
import { nothingKnown, type MarkdownMode } from '../../markdown/job.js';
import { parsedUrl } from '../../values/parsed-url.js';
import { withoutEnd } from '../../values/without-end.js';
import type { Actions, Viewing } from '../actions.js';
import { Html } from '../answers/answer.js';
import { referencesIn } from './references.js';

/** A text to render; the fields of a MarkdownOption, of which the mode is known. */
export interface Source {
  readonly text: string;
  readonly mode: MarkdownMode;
  /** Where relative links point, and with `owner/name` the repository of references. */
  readonly context?: string | undefined;
  readonly wiki?: boolean | undefined;
}

/** Renders a text with links to what the caller may see. Throws 422 if it is too long, or takes too long. */
export async function rendered(
  { caller, client, context: { requestId }, db, services }: Viewing & Pick<Actions, 'client' | 'context'>,
  { text, mode, context = '', wiki = false }: Source,
): Promise<Html> {
  const { markdown, git, config } = services;
  const { baseUrl, maxMarkdownBytes } = config;
  if (Buffer.byteLength(text) > maxMarkdownBytes)
    throw invalid('markdown.size', 'Text', `must have ${maxMarkdownBytes} bytes at most`);
  const references =
    mode === 'markdown'
      ? { repository: undefined, known: nothingKnown }
      : await referencesIn({ db, git, caller }, text, repositoryIn(context, baseUrl));
  const job = { text, mode, wiki, baseUrl, linkBase: linkBaseOf(context, baseUrl), ...references };
  return new Html(await markdown.render(job, client, requestId));
}

/**
 * Returns the address that relative links are based on; empty if the context names none. Its query and fragment are no
 * part of it; in a path, `?` and `#` are.
 */
function linkBaseOf(context: string, baseUrl: string): string {
  const trimmed = context.trim();
  if (/^https?:\/\//i.test(trimmed))
    return parsedUrl(trimmed) ? withoutEnd(trimmed.replace(/[?#].*$/s, ''), '/') : '';
  const path = withoutEnd(trimmed, '/').replace(/^\/+/, '');
  return path === '' || path.includes(':') ? '' : `${baseUrl}/${path.replace(/[?#]/g, encodeURIComponent)}`;
}

/** Returns `owner/name` if the context begins with a repository of this site. */
function repositoryIn(context: string, baseUrl: string): string | undefined {
  const path = context.startsWith(`${baseUrl}/`) ? context.slice(baseUrl.length) : context;
  return /^\/*([\w.-]{1,100}\/[\w.-]{1,100})(?:\/|$)/.exec(path.trim())?.[1];
}
