import { expect } from 'chai';
import { z } from 'zod';
import {
  checked,
  int64,
  optional,
  queryBoolean,
  requiredText,
  time,
  webAddress,
} from '../../src/http/schema.js';
import { answerTo } from '../../src/http/middleware/errors.js';

const Body = z.object({ full_name: requiredText, limit: int64, note: optional(z.string()) });

function messageFor(value: unknown): unknown {
  try {
    return checked(Body, value);
  } catch (error) {
    const { status, body = '{}' } = answerTo(error) ?? { status: 500 };
    expect(status).to.equal(422);
    return (JSON.parse(body) as { message: string }).message;
  }
}

function keeps(schema: z.ZodType, texts: readonly string[]): void {
  for (const text of texts) expect(schema.safeParse(text).data, text).to.equal(text);
}

function refuses(schema: z.ZodType, texts: readonly string[]): void {
  for (const text of texts) expect(schema.safeParse(text).success, text).to.equal(false);
}

describe('schemas', () => {
  it('names the first failing field as its record does', () => {
    expect(messageFor({})).to.equal('[FullName]: Required');
    expect(messageFor({ full_name: '', limit: 1 })).to.equal('[FullName]: Required');
    expect(messageFor({ full_name: 'x' })).to.equal('[Limit]: Required');
    expect(messageFor({ full_name: 'x', limit: null })).to.equal('[Limit]: Required');
    expect(messageFor({ full_name: 'x', limit: 1, note: 2 })).to.match(/^\[Note\]: /);
    expect(messageFor([])).to.be.a('string');
  });

  it('keeps 64-bit integers exact and refuses what is none', () => {
    for (const [given, kept] of [
      [0, 0n],
      [-1, -1n],
      [9007199254740993n, 9007199254740993n],
      [2n ** 63n - 1n, 2n ** 63n - 1n],
    ] as const)
      expect(messageFor({ full_name: 'x', limit: given })).to.have.property('limit', kept);
    for (const wrong of [1.5, '5', true, 2n ** 63n, -(2n ** 63n) - 1n, 1e300, {}])
      expect(messageFor({ full_name: 'x', limit: wrong })).to.match(/^\[Limit\]: must/);
  });

  it('takes times that can be stored', () => {
    keeps(time, ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2024-01-01T00:00:00.123+02:00']);
    refuses(time, [
      '0000-12-31T00:00:00Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '2024-02-30T00:00:00Z',
      '2024-01-01',
    ]);
  });

  it('takes addresses with a host', () => {
    keeps(webAddress, ['', 'http://x', 'HTTPS://x.org:8080/a?b#c', 'http://[::1]/']);
    refuses(webAddress, [
      'x.org',
      '//x.org',
      'ftp://x.org',
      'http:x',
      'http://',
      'http:///x',
      'http://\\x',
      'http://?x',
      'http://x y',
      'http://x:port/',
    ]);
  });

  it('takes an address whose host has letters such as ü, however many were asked before', () => {
    const results = Array.from({ length: 20_000 }, () => webAddress.safeParse('http://münchen.example/'));
    expect(results.filter(({ success }) => !success)).to.have.length(0);
  });

  it('takes null for absent where a field is optional', () => {
    expect(messageFor({ full_name: 'x', limit: 1, note: null })).to.have.property('note', undefined);
  });

  it('reads booleans of a query', () => {
    const values = ['1', 't', 'T', 'TRUE', 'true', 'True', 'on', '0', 'yes', ''];
    expect(values.map((value) => queryBoolean.parse(value))).to.deep.equal([
      ...new Array<boolean>(7).fill(true),
      ...new Array<boolean>(3).fill(false),
    ]);
    expect(queryBoolean.parse(undefined)).to.equal(undefined);
  });
});
