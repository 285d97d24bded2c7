import type { OpenApi } from './document.js';
import type { Json } from './json-schemas.js';
import type { Headers, Operation, Parameter } from './operation.js';

/** Converts the description to Swagger 2.0, for clients that know nothing newer. What 2.0 cannot express is left out. */
export function swagger({ info, servers, tags, paths, components }: OpenApi): Json {
  return {
    swagger: '2.0',
    info: { ...info, license: { name: 'MIT', url: 'https://opensource.org/licenses/MIT' } },
    basePath: servers[0].url,
    schemes: ['http', 'https'],
    consumes: ['application/json', 'text/plain'],
    produces: ['application/json', 'text/html'],
    tags,
    paths: mapped(paths, (methods) => mapped(methods, swaggerOperation)),
    definitions: mapped(components.schemas, swaggerSchema),
    securityDefinitions: mapped(components.securitySchemes, (scheme) =>
      scheme.type === 'http' ? { type: 'basic', description: scheme.description } : scheme,
    ),
  };
}

function swaggerOperation(operation: Operation): Json {
  const { parameters, requestBody, responses, ...rest } = operation;
  const [[bodyType, body] = []] = Object.entries(requestBody?.content ?? {});
  const produces = [
    ...new Set(Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}))),
  ];
  return {
    ...rest,
    ...(bodyType !== undefined && { consumes: [bodyType] }),
    ...(produces.length > 0 && { produces }),
    parameters: [
      ...parameters.map(swaggerParameter),
      ...(body
        ? [
            {
              name: 'body',
              in: 'body',
              ...(requestBody?.required && { required: true }),
              schema: inner(body),
            },
          ]
        : []),
    ],
    responses: mapped(responses, ({ description, headers, content }) => {
      const [answer] = Object.values(content ?? {});
      return {
        description,
        ...(headers && { headers: mapped(headers, swaggerHeader) }),
        ...(answer && { schema: inner(answer) }),
      };
    }),
  };
}

const inner = ({ schema }: Json) => swaggerSchema(schema);

/** Converts a parameter: 2.0 has the schema's keywords beside the parameter's own. */
function swaggerParameter({ schema, ...parameter }: Parameter): Json {
  return { type: 'string', ...swaggerSchema(schema), ...parameter };
}

const swaggerHeader = ({ description, schema }: Headers[string]): Json => ({
  ...swaggerSchema(schema),
  description,
});

/** The keywords that mean the same in 2.0 and hold no schemas. */
const KEYWORDS = (
  'format pattern minLength maxLength minimum maximum minItems maxItems ' +
  'description default enum required'
).split(' ');

function swaggerSchema(value: unknown): Json {
  const schema = value as Json;
  if (typeof schema.$ref === 'string')
    return { $ref: schema.$ref.replace('#/components/schemas/', '#/definitions/') };
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return oneOf(options as readonly Json[]);
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  const isNullable = [schema.type].flat().includes('null');
  return {
    ...(types.length === 1 && { type: types[0] }),
    ...(isNullable && { 'x-nullable': true }),
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword))),
    ...('const' in schema && { enum: [schema.const] }),
    ...(types.includes('array') && { items: swaggerSchema(schema.items ?? {}) }),
    ...(schema.properties !== undefined && {
      properties: mapped(schema.properties as Readonly<Record<string, unknown>>, swaggerSchema),
    }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: swaggerSchema(schema.additionalProperties),
    }),
  };
}

/** Converts `anyOf` or `oneOf`, if it has only one schema besides null: 2.0 cannot express several. */
function oneOf(schemas: readonly Json[]): Json {
  const [only, ...others] = schemas.filter(({ type }) => type !== 'null');
  const nullable = schemas.some(({ type }) => type === 'null') ? { 'x-nullable': true } : {};
  if (!only || others.length > 0) return nullable;
  const converted = swaggerSchema(only);
  // A reference must stand alone.
  return '$ref' in converted && 'x-nullable' in nullable
    ? { allOf: [converted], ...nullable }
    : { ...converted, ...nullable };
}

const mapped = <T, U>(record: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
