import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseSignature, formatSignature } from '../../src/git/objects/signature.js';

describe('git: signatures of people', () => {
  it('come back as they were written', () => {
    const words = fc.array(fc.constantFrom('Ann', 'von', 'Ünal', '日本', "O'Neill"), { minLength: 1 });
    const time = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true });
    const zone = fc.constantFrom('Z', '+02:00', '-03:30', '+14:00', '-11:00');
    fc.assert(
      fc.property(words, time, zone, (name, date, offset) => {
        const at = date.toISOString().slice(0, 19) + offset;
        const person = { name: name.join(' '), email: 'somebody@example.org', at };
        expect(parseSignature(formatSignature(person))).to.deep.equal(person);
      }),
    );
  });

  it('say nothing of a time that no calendar of four digits holds', () => {
    const timeOf = (seconds: number | string, zone = '+0000') =>
      parseSignature(`Ann <ann@example.org> ${seconds} ${zone}`).at;
    expect(timeOf(-62_135_596_800)).to.equal('0001-01-01T00:00:00Z');
    expect(timeOf(253_402_300_799)).to.equal('9999-12-31T23:59:59Z');
    for (const [seconds, zone] of [
      [-62_135_596_801, '+0000'],
      [-62_135_596_801, '+0100'],
      [-62_135_596_800, '-0100'],
      [253_402_300_800, '-0100'],
      [253_402_300_799, '+0100'],
      ['9'.repeat(40), '+0000'],
    ] as const)
      expect(timeOf(seconds, zone), `${seconds} ${zone}`).to.equal('1970-01-01T00:00:00Z');
  });

  it('say a time of the calendar whatever offset was written', () => {
    const digits = fc.integer({ min: 0, max: 9_999 }).map((number) => String(number).padStart(4, '0'));
    fc.assert(
      fc.property(fc.constantFrom('+', '-'), digits, (sign, offset) => {
        const { at } = parseSignature(`Ann <ann@example.org> 1700000000 ${sign}${offset}`);
        expect(new Date(at).getTime(), at).to.equal(1_700_000_000_000);
        expect(at).to.match(/(Z|[+-]\d\d:\d\d)$/);
      }),
    );
    expect(parseSignature('Ann <ann@example.org> 0 -0090').at).to.equal('1969-12-31T22:30:00-01:30');
  });

  it('never hold what would end them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, email) => {
        const text = formatSignature({ name, email, at: '2026-01-31T12:00:00Z' });
        expect(text).to.match(/^[^<>\n\0]+ <[^<>\n\0]*> 1769860800 \+0000$/);
      }),
    );
  });
});
