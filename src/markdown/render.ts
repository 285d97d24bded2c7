import type { Environment } from './environment.js';
import { withoutFrontMatter } from './front-matter.js';
import type { MarkdownJob } from './job.js';
import { OwnHtml } from './own-html.js';
import { parserOf } from './parser.js';
import { sanitise } from './sanitise.js';

/**
 * Renders a text as a sanitised HTML fragment that is safe in any page. Takes as long as the text requires, without limit.
 */
export function render(job: MarkdownJob): string {
  const text = job.text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
  const { body, before } = withoutFrontMatter(text);
  if (body.trim() === '') return '';
  const environment: Environment = {
    job,
    lineOffsets: offsets(body, Buffer.byteLength(before)),
    own: new OwnHtml(),
  };
  const html = parserOf(job.mode).render(body, { ...environment });
  return sanitise(html, job, environment.own);
}

/** Computes the byte at which each line begins. */
function offsets(text: string, first: number): number[] {
  let next = first;
  return text.split('\n').map((line) => {
    const start = next;
    next += Buffer.byteLength(line) + 1;
    return start;
  });
}
