import { expect } from 'chai';
import { z } from 'zod';
import type { Route } from '../../../src/http/route.js';
import { allRoutes } from '../../support/all-routes.js';
import type { TestAnswer } from '../../support/client.js';
import { readinessOnce, tellsOfProjections } from '../../support/readiness.js';
import { pathOf } from '../matrix/cells.js';
import type { Names, Row } from '../matrix/row.js';
import { rows } from '../matrix/rows.js';
import { createWorld, type World } from '../matrix/world.js';
import { hostileTexts, hostileValues } from './values.js';

/** Whatever a request holds, it is answered or refused, and what was taken can be projected. */
describe('hostile requests', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(() => world.api.stop());

  for (const route of allRoutes) {
    const row = rows[route.id];
    const fields = route.body ? fieldsOf(route.body) : [];
    const parameters = route.query ? fieldsOf(route.query).map(({ name }) => name) : [];
    if (!row) continue;

    if (fields.length > 0)
      it(`${route.id}: ${fields.length} fields`, async () => {
        let fresh: Names | undefined; // as long as every request is refused
        for (const [place, field] of fields.entries())
          for (const value of some(hostileValues, place)) {
            fresh ??= (await row.fresh?.(world, world.api.admin)) ?? {};
            const names = { ...world.names, ...row.names?.(world), ...fresh };
            const body = withField(bodyOf(row, names, world), field, value);
            const path = pathOf(route, names) + (row.query ?? '');
            const answer = await send(route, path, body);
            check(`${field.name} = ${shown(value)}`, answer);
            if (answer.status < 400) fresh = undefined;
          }
      });

    if (route.method === 'GET' && parameters.length > 0)
      it(`${route.id}: ${parameters.join(', ')}`, async () => {
        const path = pathOf(route, { ...world.names, ...row.names?.(world) });
        for (const [place, parameter] of parameters.entries())
          for (const text of some(hostileTexts, place)) {
            const query = `${row.query ? `${row.query}&` : '?'}${parameter}=${encodeURIComponent(safe(text))}`;
            check(query, await world.api.admin.get(path + query));
          }
      });

    const places = [...route.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => name);
    if (places.length > 0)
      it(`${route.id}: a path of ${places.join(', ')}`, async () => {
        for (const [index, place] of places.entries())
          for (const text of some(hostileTexts, index).filter((text) => text !== '')) {
            const names = { ...world.names, ...row.names?.(world), [place]: safe(text) };
            const body = row.body && JSON.stringify(bodyOf(row, names, world));
            check(`${place} = ${shown(text)}`, await send(route, pathOf(route, names), body));
          }
      });
  }

  it('stopped no projection', async () => {
    await world.api.shown();
    const { report } = await readinessOnce(world.api.url(), tellsOfProjections);
    const reports = Object.entries(report.projections);
    expect(reports.filter(([, { stoppedAt }]) => stoppedAt)).to.deep.equal([]);
  });

  const send = (route: Route, path: string, body?: string) =>
    world.api.admin.send(route.method, path, body, { 'content-type': 'application/json' });
});

function check(what: string, { status, text }: TestAnswer): void {
  expect(status, `${what}: ${text.slice(0, 500)}`).to.be.lessThan(500);
}

const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** Unpaired surrogates have no URL: they arrive as what UTF-8 replaces them by. */
const safe = (text: string) => Buffer.from(text).toString();

/** Every so many-th value, others for each field: all of them take minutes. */
const STEP = process.env.HOSTILE === 'all' ? 1 : 5;
const some = (values: readonly string[], place: number) =>
  values.filter((_, index) => (index + place) % STEP === 0);

interface Field {
  readonly name: string;
  /** Fields of the objects that it lists. */
  readonly inner: readonly string[];
}

type ObjectSchema = { properties?: Record<string, ObjectSchema>; items?: ObjectSchema };

function fieldsOf(schema: z.ZodType): Field[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
  return Object.entries(properties).map(([name, { items }]) => ({
    name,
    inner: Object.keys(items?.properties ?? {}),
  }));
}

const bodyOf = (row: Row, names: Names, world: World) =>
  (row.body?.(world.unique(), names) ?? {}) as Record<string, unknown>;

/** JSON of the body with the field, and each field of the objects it lists, as the hostile value. */
function withField(body: Record<string, unknown>, { name, inner }: Field, value: string): string {
  const listed = inner.map((field) => `{"name":"x","path":"y",${JSON.stringify(field)}:${value}}`);
  const hostile = inner.length > 0 && value !== 'null' ? `[${listed.join(',')}]` : value;
  const others = Object.entries(body)
    .filter(([key]) => key !== name)
    .map(([key, kept]) => `${JSON.stringify(key)}:${JSON.stringify(kept)}`);
  return `{${[...others, `${JSON.stringify(name)}:${hostile}`].join(',')}}`;
}
