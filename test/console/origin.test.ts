import { expect } from 'chai';
import type { Context } from '../../src/http/context.js';
import { keepSession } from '../../src/http/console/cookie.js';
import { originOf } from '../../src/http/console/origin.js';

const requested = (headers: Readonly<Record<string, string>>) =>
  ({ get: (name: string) => headers[name.toLowerCase()] ?? '' }) as unknown as Context;

describe('where a request comes from', () => {
  for (const [headers, baseUrl, expected] of [
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 'https://forge.example', 'here'],
    [
      { 'sec-fetch-site': 'same-site', origin: 'https://forge.example' },
      'https://forge.example',
      'elsewhere',
    ],
    [{ origin: 'https://forge.example' }, 'https://forge.example/sub', 'here'],
    [{ origin: 'https://other.example', host: 'other.example' }, 'https://forge.example', 'here'],
    [{ origin: 'http://other.example', host: 'other.example' }, 'https://forge.example', 'elsewhere'],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }, 'http://127.0.0.1:3000', 'here'],
    [{ origin: 'http://localhost:4000', host: 'localhost:3000' }, 'http://127.0.0.1:3000', 'elsewhere'],
    [{ origin: 'null', host: 'null' }, 'http://127.0.0.1:3000', 'elsewhere'],
    [{ host: 'forge.example' }, 'https://forge.example', 'unknown'],
  ] as const) {
    it(`${JSON.stringify(headers)} at ${baseUrl} is from ${expected}`, () => {
      expect(originOf(requested(headers), baseUrl)).to.equal(expected);
    });
  }
});

it('over HTTPS the cookie of a session is secure and bound to its host', () => {
  let cookie = '';
  const ctx = { append: (_: string, value: string) => (cookie = value) } as unknown as Context;
  keepSession(ctx, 'https://forge.example', 'secret');
  expect(cookie).to.equal(
    '__Host-tallyforge=secret; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  );
});
