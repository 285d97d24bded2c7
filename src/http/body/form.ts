import type { z } from 'zod';
import { DomainError } from '../../domain/errors.js';
import { MOST_VALUES } from './json-bounds.js';
import { TRUE_WORDS } from '../schema.js';

/**
 * Parses a form as `application/x-www-form-urlencoded`. Throws 422 for one of too many fields, because parsing millions
 * takes seconds.
 */
export function parseForm(text: string): URLSearchParams {
  if (text.split('&', MOST_VALUES + 1).length > MOST_VALUES) throw tooManyFields();
  return new URLSearchParams(text);
}

/** Makes the 422 for a form of too many fields. */
export const tooManyFields = () =>
  new DomainError('invalid', 'request.form', `the body holds over ${MOST_VALUES} values`);

/**
 * Converts the fields of a form to the values that JSON would have. Unless the schema wants text, `5` becomes a number
 * and `true`, `1` or `on` a boolean; a list is a repeated field, each item converted so. Text that cannot be converted
 * stays text, for the schema to refuse. What is left blank is no number.
 */
export function formFields(schema: z.ZodType, form: URLSearchParams): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(shapeOf(schema))) {
    const texts = textsOf(form, name);
    if (texts.length === 0) continue;
    const { element } = unwrap(inner);
    const read = texts.map((text) => readAs(element ?? inner, text)).filter((value) => value !== undefined);
    if (element) fields[name] = read;
    else if (read.length > 0) [fields[name]] = read;
  }
  return fields;
}

function readAs(schema: z.ZodType, text: string): unknown {
  const { type } = unwrap(schema);
  if (type === 'boolean') return truth(text);
  if (type === 'string' || type === 'enum') return text;
  return text === '' ? undefined : scalar(text);
}

/** The form names that Forgejo and Gitea use for fields that have another name in JSON. */
const NAMES_IN_FORMS: ReadonlyMap<string, string> = new Map([
  ['username', 'user_name'],
  ['new_username', 'new_name'],
  ['created_at', 'created'],
  ['new_branch_name', 'branch_name'],
  ['content', 'content_base64'],
  ['due_date', 'deadline'],
  ['due_on', 'deadline'],
  ['unset_due_date', 'remove_deadline'],
]);

function textsOf(form: URLSearchParams, name: string): string[] {
  const other = NAMES_IN_FORMS.get(name);
  return other === undefined || form.has(name) ? form.getAll(name) : form.getAll(other);
}

const FALSE_WORDS = new Set(['', '0', 'f', 'F', 'FALSE', 'false', 'False']);

const truth = (text: string): unknown => TRUE_WORDS.has(text) || (FALSE_WORDS.has(text) ? false : text);

function scalar(text: string): unknown {
  if (!/^-?\d{1,19}$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

const unwrap = (schema: z.ZodType): Definition => {
  const definition = schema.def as unknown as Definition;
  const inner = definition.innerType ?? definition.in;
  return inner ? unwrap(inner) : definition;
};

const shapeOf = (schema: z.ZodType) => unwrap(schema).shape ?? {};
