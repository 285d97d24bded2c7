import type { z } from 'zod';
import { DomainError, invalid } from '../../domain/errors.js';
import { parseJson } from '../../values/json.js';
import type { Context } from '../context.js';
import { formFields, parseForm } from './form.js';
import { exceeded, MOST_VALUES } from './json-bounds.js';
import { multipartFields } from './multipart.js';
import { queryOf } from '../query.js';
import { readBody } from './read-body.js';
import { checked } from '../schema.js';

/** Returns the kind of the body, whatever the content type's parameters. Any type that contains `json` is JSON. */
export function bodyKind(ctx: Context): 'json' | 'form' | 'multipart' | 'text' | 'other' | 'none' {
  const type = ctx.req.headers['content-type']?.toLowerCase() ?? '';
  if (type.includes('json')) return 'json';
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form';
  if (type.startsWith('multipart/form-data')) return 'multipart';
  if (type.startsWith('text/plain')) return 'text';
  return type === '' ? 'none' : 'other';
}

/**
 * Reads the body's fields, still to be checked against `schema`, which decides how the texts of a form are read. An
 * empty body and `null` have no fields. A body without a content type is refused on POST and PUT; on PATCH and DELETE
 * the query's parameters are the fields then, because clients of these expect that. On DELETE, JSON may be sent as
 * text/plain, because clients generated from descriptions that name no type leave it to `fetch`.
 */
export async function readFields(ctx: Context, schema: z.ZodType, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(ctx, maxBytes);
  const kind = bodyKind(ctx);
  if (kind === 'none' && (ctx.method === 'PATCH' || ctx.method === 'DELETE'))
    return fieldsOf(schema, new URLSearchParams(ctx.querystring));
  if (bytes.length === 0) return {};
  const text = textOf(bytes);
  if (kind === 'json' || (kind === 'text' && ctx.method === 'DELETE')) return parse(text) ?? {};
  return fieldsOf(schema, formIn(ctx, text));
}

/** Parses text as the kind of form that the content type names. Throws 422 for any other type. */
export function formIn(ctx: Context, text: string): URLSearchParams {
  const kind = bodyKind(ctx);
  if (kind === 'form') return parseForm(text);
  if (kind !== 'multipart') throw invalid('request.content_type', 'ContentType', 'must be application/json');
  const form = multipartFields(text, ctx.get('Content-Type'));
  if (form) return form;
  throw new DomainError('invalid', 'request.multipart', 'the body is no form of several parts');
}

function fieldsOf(schema: z.ZodType, form: URLSearchParams): Record<string, unknown> {
  const fields = formFields(schema, form);
  refuseUnstorable(fields);
  return fields;
}

/** Checks the query's parameters against `schema`. Parameters that it does not name may hold anything. */
export function readQuery(ctx: Context, schema: z.ZodType): unknown {
  const query = checked(schema, queryOf(ctx));
  if (ctx.querystring.includes('%00')) refuseUnstorable(query);
  return query;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes bytes as UTF-8. Throws 422 if they are not valid. */
export function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DomainError('invalid', 'request.encoding', 'the body is not UTF-8');
  }
}

/** As `parseAny`, but also throws 422 for text that cannot be stored. */
function parse(text: string): unknown {
  const value = parseAny(text);
  // Neither NUL nor lone surrogates can be stored as UTF-8 text, and only escapes can bring them in.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value);
  return value;
}

/** As many levels as clients and servers written in Go read. */
const BOUNDS = { levels: 10_000, values: MOST_VALUES };

/** Parses JSON. Throws 422 for text that is not JSON, is nested too deeply, or holds too many values. */
export function parseAny(text: string): unknown {
  const bound = exceeded(text, BOUNDS);
  if (bound === 'levels')
    throw new DomainError('invalid', 'request.json', `the body is nested in over ${BOUNDS.levels} levels`);
  if (bound === 'values')
    throw new DomainError('invalid', 'request.json', `the body holds over ${BOUNDS.values} values`);
  try {
    return parseJson(text);
  } catch {
    throw new DomainError('invalid', 'request.json', 'the body is not JSON');
  }
}

/** Iterative, because a body can be nested more deeply than the stack allows. */
function refuseUnstorable(body: unknown): void {
  const waiting: { readonly value: unknown; readonly field: string }[] = [{ value: body, field: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, field } = next;
    if (typeof value === 'string') {
      if (/[\0\p{Cs}]/u.test(value))
        throw invalid('request.text', pascalCase(field), 'must not hold NUL or unpaired surrogates');
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) waiting.push({ value: inner, field: field || key });
    }
  }
}

/** Turns `full_name` into `FullName`, which is how error messages name fields. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
