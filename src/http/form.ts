import type { z } from 'zod';

/**
 * The fields of a form as JSON would give them: where the schema wants no text, `5` is a number and `true` a boolean;
 * a list is the field repeated. What does not read so stays text, for the schema to refuse.
 */
export function formFields(schema: z.ZodType, form: URLSearchParams): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(shapeOf(schema))) {
    const texts = form.getAll(name);
    const [first] = texts;
    if (first === undefined) continue;
    const kind = kindOf(inner);
    if (kind === 'array') fields[name] = texts;
    else fields[name] = kind === 'string' || kind === 'enum' ? first : scalar(first);
  }
  return fields;
}

function scalar(text: string): unknown {
  if (/^-?\d{1,19}$/.test(text)) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  }
  if (text === 'true' || text === 'on') return true;
  return text === 'false' ? false : text;
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

const unwrap = (schema: z.ZodType): Definition => {
  const definition = schema.def as unknown as Definition;
  const inner = definition.innerType ?? definition.in;
  return inner ? unwrap(inner) : definition;
};

const shapeOf = (schema: z.ZodType) => unwrap(schema).shape ?? {};
const kindOf = (schema: z.ZodType) => unwrap(schema).type;
