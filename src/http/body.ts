import type { z } from 'zod';
import rawBody from 'raw-body';
import { DomainError, invalid } from '../domain/errors.js';
import { parseJson } from '../json.js';
import type { Context } from './context.js';
import { formFields } from './form.js';
import { queryOf } from './query.js';
import { Refused } from './refused.js';

/** The bytes of the body, read once. Throws 413 beyond `maxBytes`. */
export function readBody(ctx: Context, maxBytes: number): Promise<Buffer> {
  return (ctx.state.rawBody ??= read(ctx, maxBytes));
}

async function read(ctx: Context, maxBytes: number): Promise<Buffer> {
  const length = ctx.req.headers['content-length'];
  try {
    return await rawBody(ctx.req, { limit: maxBytes, ...(length !== undefined && { length }) });
  } catch (error) {
    const { type } = error as rawBody.RawBodyError;
    // The rest of the body is not read, so nothing may follow on this connection.
    if (type === 'entity.too.large')
      throw new Refused(413, `the body is larger than ${maxBytes} bytes`, { Connection: 'close' });
    if (type === 'request.size.invalid' || type === 'request.aborted')
      throw new Refused(400, 'the body ended before its Content-Length', { Connection: 'close' });
    throw error;
  }
}

/** What a body is, whatever its parameters: any type that contains `json` is JSON. */
export function bodyKind(ctx: Context): 'json' | 'form' | 'other' | 'none' {
  const type = ctx.req.headers['content-type']?.toLowerCase() ?? '';
  if (type.includes('json')) return 'json';
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form';
  return type === '' ? 'none' : 'other';
}

/**
 * The body's fields, still to be checked against `schema`, which says what a form's texts stand for. An empty body and
 * `null` have no fields. What is sent without a type is refused on POST and PUT; on PATCH and DELETE the query's
 * parameters are the fields then, as elsewhere in the world of these clients.
 */
export async function readFields(ctx: Context, schema: z.ZodType, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(ctx, maxBytes);
  const kind = bodyKind(ctx);
  if (bytes.length === 0) return {};
  if (kind === 'json') return parse(textOf(bytes)) ?? {};
  if (kind === 'form') return formFields(schema, new URLSearchParams(textOf(bytes)));
  if (kind === 'none' && (ctx.method === 'PATCH' || ctx.method === 'DELETE'))
    return formFields(schema, new URLSearchParams(Object.entries(queryOf(ctx))));
  throw invalid('request.content_type', 'ContentType', 'must be application/json');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as the UTF-8 that they are. Throws 422 where they are none. */
export function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DomainError('invalid', 'request.encoding', 'the body is not UTF-8');
  }
}

/** JSON as text. Throws 422 for what is none, and for text that cannot be stored. */
export function parse(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new DomainError('invalid', 'request.json', 'the body is not JSON');
  }
  // Neither survives storage as UTF-8 text; only escapes can bring them in.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value, '');
  return value;
}

function refuseUnstorable(value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (/[\0\p{Cs}]/u.test(value))
      throw invalid('request.text', pascalCase(field), 'must not hold NUL or unpaired surrogates');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseUnstorable(inner, field || key);
  }
}

/** `full_name` → `FullName`, as messages name fields. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
