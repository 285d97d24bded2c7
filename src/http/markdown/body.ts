import { DomainError, invalid } from '../../domain/errors.js';
import { MAX_MARKDOWN_BYTES } from '../../markdown/job.js';
import { bodyKind, parse, readBody, textOf } from '../body.js';
import type { Context } from '../context.js';

/** As text in JSON at its longest: every byte an escape of six. */
const MOST_BYTES = 6 * MAX_MARKDOWN_BYTES;

/** The fields of a text to render; what has no type is JSON too. */
export async function readOption(ctx: Context): Promise<unknown> {
  const text = textOf(await readBody(ctx, MOST_BYTES));
  if (text === '') throw new DomainError('invalid', 'request.body', 'the body is missing');
  return bodyKind(ctx) === 'form' ? fieldsOf(new URLSearchParams(text)) : parse(text);
}

const fieldsOf = (form: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...form].map(([name, value]) => [name, name.toLowerCase() === 'wiki' ? value === 'true' : value]),
  );

/** The body as the text to render, whatever its type. */
export async function readSource(ctx: Context): Promise<string> {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(ctx.get('Content-Type')) ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw invalid('request.charset', 'ContentType', 'the charset must be UTF-8');
  return textOf(await readBody(ctx, MAX_MARKDOWN_BYTES));
}
