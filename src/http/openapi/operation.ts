import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Route } from '../route.js';
import { nothing, problem, tooLarge } from '../schema.js';
import type { Json, JsonSchemas } from './json-schemas.js';
import { securityOf } from './security.js';

/** The schemas of all routes, by direction, because a default makes a field optional only in requests. */
export interface Schemas {
  readonly input: JsonSchemas;
  readonly output: JsonSchemas;
}

/** A parameter in a path, a query or the headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: true;
  readonly schema: Json;
}

/** An answer's headers by name. */
export type Headers = Readonly<Record<string, { readonly description: string; readonly schema: Json }>>;

/** The answer of one status. */
interface Response {
  readonly description: string;
  readonly headers?: Headers;
  readonly content?: Readonly<Record<string, Json>>;
}

/** Answers by status; `default` is for those that any request may get. */
export type Responses = Readonly<Record<string, Response>>;

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Json[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: true; readonly content: Readonly<Record<string, Json>> };
  readonly responses: Responses;
}

/** Describes a route as an OpenAPI operation. */
export function operationOf(route: Route, schemas: Schemas): Operation {
  const { id, method, scopes, access, body, readBody } = route;
  const level = method === 'GET' ? 'read' : 'write';
  const needed = scopes.map((scope) => `\`${level}:${scope}\``);
  return {
    operationId: id,
    tags: [tagOf(route)],
    summary: summaryOf(id),
    description: `For ${access.name}.${needed.length > 0 ? ` A token needs ${needed.join(' and ')}.` : ''}`,
    security: securityOf(route),
    parameters: [
      ...pathParameters(route, schemas),
      ...queryParameters(route, schemas),
      ...headerParameters(route),
    ],
    ...(body && {
      requestBody: {
        ...(isRequired(body, readBody) && { required: true as const }),
        content: contentOf(body, schemas.input),
      },
    }),
    responses: responsesOf(route, schemas),
  };
}

/** Returns the tag that an operation is listed under. */
export const tagOf = ({ scopes }: Pick<Route, 'scopes'>): string => scopes.at(-1) ?? 'miscellaneous';

/** Makes a summary from an id: `adminListQuotaRules` → `Admin list quota rules`. */
function summaryOf(id: string): string {
  const words = id.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/**
 * Returns the schemas of an operation's answers by status: those it declares, and those that every route may give, for
 * wrong credentials (401), missing rights (403) and former names (307).
 */
export function statusesOf(route: Pick<Route, 'path' | 'answers'>): ReadonlyMap<number, z.ZodType> {
  const { path, answers } = route;
  const moved: Route['answers'] = /\{(?:owner|username|org)\}/.test(path) ? { 307: nothing } : {};
  const all: Route['answers'] = {
    ...moved,
    401: problem,
    403: problem,
    ...answers,
    ...(413 in answers && { 413: tooLarge }),
  };
  return new Map(Object.entries(all).map(([status, schema]) => [Number(status), schema]));
}

/** A missing body counts as one without fields, save where the route reads it in its own way. */
const isRequired = (body: z.ZodType, readBody: Route['readBody']) =>
  readBody !== undefined || !body.safeParse({}).success;

function pathParameters({ path, params }: Route, { input }: Schemas): Parameter[] {
  const properties = params ? propertiesOf(input.of(params)) : {};
  return [...path.matchAll(/\{(\w+)(\*?)\}/g)].map(([, name = '', many]) => ({
    name,
    in: 'path',
    ...(many && { description: 'May have several parts, with slashes between them.' }),
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }));
}

function queryParameters({ query }: Route, { input }: Schemas): Parameter[] {
  if (!query) return [];
  const schema = input.of(query);
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true as const }),
    schema: withoutNull(property),
  }));
}

function headerParameters({ answers }: Route): Parameter[] {
  if (!(412 in answers)) return [];
  const description = 'The `ETag` that was read: 412 where another writer was first.';
  return [{ name: 'If-Match', in: 'header', description, schema: { type: 'string' } }];
}

const propertiesOf = ({ properties }: Json) => (properties ?? {}) as Readonly<Record<string, Json>>;

/**
 * Removes null from a parameter's schema, because a parameter is either present or absent. What the schema itself says
 * goes before what its alternative says: a number in a query is read from text, but is a number.
 */
function withoutNull(schema: Json): Json {
  const { type, oneOf, ...rest } = schema as { type?: unknown; oneOf?: readonly Json[] };
  if (Array.isArray(type)) return { ...rest, type: type.find((one) => one !== 'null') as string };
  const [only, ...others] = oneOf?.filter((one) => one.type !== 'null') ?? [];
  return only && others.length === 0 ? { ...only, ...rest, ...(type !== undefined && { type }) } : schema;
}

function responsesOf(route: Route, schemas: Schemas): Responses {
  const { output } = schemas;
  const declared = [...statusesOf(route)].map(([status, schema]) => {
    const headers = headersOf(status, route, schemas);
    return [
      String(status),
      {
        description: STATUS_CODES[status] ?? '',
        ...(headers && { headers }),
        ...(schema !== nothing && { content: contentOf(schema, output) }),
      },
    ];
  });
  const otherwise = { description: 'What any request may meet', content: contentOf(problem, output) };
  return { ...(Object.fromEntries(declared) as Responses), default: otherwise };
}

const TOTAL: Headers = {
  'X-Total-Count': {
    description: 'How many there are, on all pages.',
    schema: { type: 'integer', format: 'int64' },
  },
};
const MOVED: Headers = {
  Location: { description: 'The same below the name of today.', schema: { type: 'string' } },
};

function headersOf(status: number, { query }: Route, { input }: Schemas): Headers | undefined {
  if (status === 307) return MOVED;
  const isPaged = query !== undefined && 'limit' in propertiesOf(input.of(query));
  return isPaged && status === 200 ? TOTAL : undefined;
}

/** Returns a schema under its media type; those of a union apart if they have several. */
const contentOf = (schema: z.ZodType, schemas: JsonSchemas): Readonly<Record<string, Json>> =>
  Object.fromEntries(kindsOf(schema).map((kind) => [mediaTypeOf(kind), { schema: schemas.of(kind) }]));

/** Returns the schemas of a union that have different media types; else the schema itself. */
export function kindsOf(schema: z.ZodType): readonly z.ZodType[] {
  const options = schema instanceof z.ZodUnion ? (schema.options as readonly z.ZodType[]) : [];
  return new Set(options.map(mediaTypeOf)).size > 1 ? options : [schema];
}

/** Returns the media type that a schema names; JSON if it names none. */
const mediaTypeOf = (schema: z.ZodType) =>
  (schema.meta() as { contentMediaType?: string } | undefined)?.contentMediaType ?? 'application/json';
