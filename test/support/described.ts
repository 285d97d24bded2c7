import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { describedPath, openApi, type OpenApi } from '../../src/http/openapi/document.js';
import type { Operation } from '../../src/http/openapi/operation.js';
import type { Route } from '../../src/http/route.js';
import { PREFIX } from '../../src/http/router.js';
import { allRoutes } from './all-routes.js';

export interface Answered {
  readonly method: string;
  /** Below `/api/v1`, as it was sent. */
  readonly path: string;
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Any request may meet these; what they answer is described as `default`. */
const ANYWHERE = [400, 404, 405, 408, 413, 422, 429, 431, 500, 503];

/** What is not as the description of the API has it, in words; undefined where all is well or no route was met. */
export function undescribed({ method, path, status, type, text }: Answered): string | undefined {
  const operation = operationAt(method, path);
  if (!operation) return undefined;
  const { operationId, responses } = operation;
  const key =
    String(status) in responses ? String(status) : ANYWHERE.includes(status) ? 'default' : undefined;
  if (key === undefined) return `${operationId} answered ${status}, which is not described`;
  const mediaTypes = Object.keys(responses[key]?.content ?? {});
  const mediaType =
    mediaTypes.find((each) => each === '*/*' || type?.startsWith(each)) ?? mediaTypes[0] ?? '';
  // An empty 404 answers a question with no; that the place of the question is nowhere is told as everywhere.
  if (mediaType === '' && status === 404 && text !== '') return undefined;
  if (mediaType === '') return text === '' ? undefined : `${operationId} answered ${status} with a body`;
  if (mediaType !== '*/*' && !type?.startsWith(mediaType))
    return `${operationId} answered ${status} with ${type ?? 'no type'}`;
  if (mediaType !== 'application/json') return undefined;
  const validate = validator(operation, key);
  if (validate(JSON.parse(text))) return undefined;
  const [error] = validate.errors ?? [];
  const field = JSON.stringify(error?.params);
  return `${operationId} answered ${status}: ${error?.instancePath ?? ''} ${error?.message ?? ''} ${field}`;
}

/** Fixed parts come before parameters, as the router has it. */
const patterns = allRoutes
  .map((route) => ({
    route,
    order: route.path.replace(/\{\w+\}/g, '\ufffe').replace(/\{\w+\*\}/g, '\uffff'),
    pattern: new RegExp(`^${route.path.replace(/\{\w+\*\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((one, other) => (one.order < other.order ? -1 : 1));

/** The route that a request meets; its path is below `/api/v1`, as it was sent. */
export function routeAt(method: string, path: string): Route | undefined {
  const [plain = ''] = path.split('?', 1);
  return patterns.find(({ route, pattern }) => route.method === method && pattern.test(plain))?.route;
}

function operationAt(method: string, path: string): Operation | undefined {
  const route = routeAt(method, path);
  return route && described().paths[describedPath(route)]?.[method.toLowerCase()];
}

let document: OpenApi | undefined;
const described = () => (document ??= openApi(allRoutes));

let ajv: Ajv2020 | undefined;
const validators = new Map<string, ValidateFunction>();

/** One for all answers of one schema: most are refusals. */
function validator({ operationId, responses }: Operation, status: string): ValidateFunction {
  const schema = JSON.stringify(responses[status]?.content?.['application/json']?.schema);
  const known = validators.get(schema);
  if (known) return known;
  if (!ajv) {
    // Many are compiled, each for few answers.
    const sooner = { inlineRefs: false, code: { optimize: false } };
    ajv = new Ajv2020({ strict: false, validateFormats: false, ...sooner });
    ajv.addSchema({ ...(closed(described()) as AnySchemaObject), $id: PREFIX });
  }
  const { method, path } = at(operationId);
  const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
  const validate = ajv.compile({ $ref: `${PREFIX}#/${pointer.map(escaped).join('/')}` });
  validators.set(schema, validate);
  return validate;
}

function at(operationId: string) {
  const route = allRoutes.find(({ id }) => id === operationId);
  if (!route) throw new Error(`no operation ${operationId}`);
  return { method: route.method.toLowerCase(), path: describedPath(route) };
}

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Objects have no fields but those described: clients may be told of more one day, tests must not be. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  const isObject = [inner.type].flat().includes('object');
  return isObject && inner.properties && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}
