import { DomainError, invalid } from '../../domain/errors.js';
import { bodyKind, formIn, parseAny, textOf } from '../body/fields.js';
import type { Context } from '../context.js';
import { formFields } from '../body/form.js';
import { readBody } from '../body/read-body.js';
import { MarkupFields } from './schema.js';
import type { z } from 'zod';

/** Reads the fields of a text to render. A body without a content type counts as JSON. */
export async function readOption(ctx: Context, _: z.ZodType, maxBytes: number): Promise<unknown> {
  const text = textOf(await readBody(ctx, maxBytes));
  if (text === '') throw new DomainError('invalid', 'request.body', 'the body is missing');
  const kind = bodyKind(ctx);
  if (kind === 'json' || kind === 'none') return parseAny(text);
  const form = new URLSearchParams();
  for (const [name, value] of formIn(ctx, text)) form.append(name.toLowerCase(), value);
  return formFields(MarkupFields, form);
}

/** Reads the body as the text to render, whatever its content type. Throws 422 for a charset other than UTF-8. */
export async function readSource(ctx: Context, _: z.ZodType, maxBytes: number): Promise<string> {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(ctx.get('Content-Type')) ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw invalid('request.charset', 'ContentType', 'the charset must be UTF-8');
  return textOf(await readBody(ctx, maxBytes));
}
