import { expect } from 'chai';
import { anyone } from '../../src/http/access.js';
import { route, type Route } from '../../src/http/route.js';
import { routing } from '../../src/http/router.js';
import { nothing } from '../../src/http/schema.js';

const whole = {
  id: 'thing',
  method: 'GET',
  path: '/things/{id}',
  access: anyone,
  scope: 'none',
  answers: { 204: nothing },
  handle: () => undefined,
} as const;

const without = (part: keyof typeof whole) => () => {
  const rest = Object.entries(whole).filter(([name]) => name !== part);
  return route(Object.fromEntries(rest) as unknown as typeof whole);
};
const table =
  (...routes: Route[]) =>
  () =>
    routing(routes, () => () => undefined);

describe('a route', () => {
  it('must say who may call it, with which scope, and what it answers', () => {
    expect(without('access')).to.throw('who may call');
    expect(without('scope')).to.throw('scope');
    expect(without('answers')).to.throw('answers');
    expect(() => route({ ...whole, answers: {} })).to.throw('answers');
    expect(() => route(whole)).not.to.throw();
  });

  it('has an id, and a method and path, of its own', () => {
    expect(table(route(whole), route({ ...whole, path: '/others' }))).to.throw('two routes for thing');
    expect(table(route(whole), route({ ...whole, id: 'other', path: '/things/{name}' }))).to.throw(
      'two routes for GET',
    );
    expect(table(route(whole), route({ ...whole, id: 'other', method: 'PUT' }))).not.to.throw();
  });
});
