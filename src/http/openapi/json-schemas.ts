import { z } from 'zod';

/** A part of a document whose shape is defined by OpenAPI or JSON Schema, but not by a type here. */
export type Json = Readonly<Record<string, unknown>>;

/** Schemas of one direction, requests or answers, converted together. */
export interface JsonSchemas {
  /** Returns a schema as JSON Schema: a `$ref` if it has a name, otherwise inline. */
  of(schema: z.ZodType): Json;
  /** The named schemas. */
  readonly components: Readonly<Record<string, Json>>;
}

const COMPONENTS = '#/components/schemas/';

/**
 * Converts all schemas to JSON Schema (2020-12) together: `input` for requests, `output` for answers. Throws if two
 * schemas have the same name.
 */
export function jsonSchemas(schemas: Iterable<z.ZodType>, io: 'input' | 'output'): JsonSchemas {
  const registry = z.registry<{ id: string }>();
  const keys = new Map<z.ZodType, string>();
  for (const schema of schemas) {
    if (keys.has(schema)) continue;
    const key = nameOf(schema) ?? `${UNNAMED}${keys.size}`;
    keys.set(schema, key);
    registry.add(schema, { id: key });
  }
  const converted = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `${COMPONENTS}${id}`,
    override: ({ jsonSchema }) => {
      tidy(jsonSchema);
    },
  }).schemas as Record<string, Json>;
  const { [SHARED]: shared, ...roots } = converted;
  const all: Readonly<Record<string, Json>> = { ...(shared?.$defs as Record<string, Json>), ...roots };
  const finished = (schema: unknown): unknown => finish(schema, all);
  return {
    of(schema) {
      const key = keys.get(schema);
      const found = key === undefined ? undefined : all[key];
      if (key === undefined || !found) throw new Error('a schema that was not among those converted');
      return isUnnamed(key) ? (finished(found) as Json) : { $ref: `${COMPONENTS}${key}` };
    },
    components: Object.fromEntries(
      Object.entries(all)
        .filter(([key]) => !isUnnamed(key))
        .map(([key, schema]) => [key, finished(schema) as Json]),
    ),
  };
}

/** Returns a schema's name, under which it is listed among the components. */
export const nameOf = (schema: z.ZodType): string | undefined => schema.meta()?.id;

const UNNAMED = '~';
const SHARED = '__shared';
const isUnnamed = (key: string) => key.startsWith(UNNAMED);

/**
 * Removes what clients cannot use: bounds of doubles, closed objects, patterns beside a type that implies them, the media
 * type of bytes, which the key of the content says, and the empty text among the values of a field, which stands for none
 * and for which generators have no name.
 */
function tidy(schema: Record<string, unknown>): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (Array.isArray(schema.enum)) schema.enum = schema.enum.filter((value) => value !== '');
  if (schema.format === 'binary') delete schema.contentMediaType;
  if (schema.type === 'integer') schema.format ??= 'int64';
  if (schema.type !== 'string' || schema.format !== undefined) delete schema.pattern;
}

/** Rewrites references for the document, removes ids, and inlines unnamed schemas where they are referred to. */
function finish(value: unknown, all: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((inner) => finish(inner, all));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as Record<string, unknown>;
  const key = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
  const inner = Object.fromEntries(
    Object.entries(rest)
      .filter(
        ([name, at]) => name !== '$schema' && name !== '$id' && !(name === 'id' && typeof at === 'string'),
      )
      .map(([name, at]) => [name, finish(at, all)]),
  );
  if (key === undefined) return orNull(inner);
  return isUnnamed(key)
    ? { ...(finish(all[key], all) as Json), ...inner }
    : { $ref: `${COMPONENTS}${key}`, ...inner };
}

/**
 * Rewrites what may also be null as most generators of clients understand it: in one schema with both types, or as
 * `oneOf` where that is a reference, an object or one of some values. Of `anyOf` they make types that hold nothing.
 */
function orNull(schema: Json): Json {
  const { anyOf, ...rest } = schema as { anyOf?: readonly Json[] };
  const [only, none, ...others] = anyOf ?? [];
  if (!only || none?.type !== 'null' || others.length > 0) return schema;
  const isPlain = typeof only.type === 'string' && !only.properties && !only.enum;
  return isPlain ? { ...only, type: [only.type, 'null'], ...rest } : { oneOf: anyOf, ...rest };
}
