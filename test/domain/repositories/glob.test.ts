import { expect } from 'chai';
import fc from 'fast-check';
import { globMatcher, globMatches } from '../../../src/domain/repositories/glob.js';
import { processorTime } from '../../support/processor-time.js';

/** As a regular expression says it: good enough for short texts. */
function matchesPlainly(glob: string, text: string): boolean {
  const pattern = glob.replace(/\*+|[?{},]|\[!/g, (token) => {
    if (token === '[!') return '[^/';
    if (token.startsWith('*')) return token.length > 1 ? '.*' : '[^/]*';
    return { '?': '[^/]', '{': '(?:', '}': ')', ',': '|' }[token] ?? token;
  });
  return new RegExp(`^${pattern}$`, 's').test(text);
}

/** A part of a glob: its text, and where a match of it that begins at `from` can end. */
interface Part {
  readonly text: string;
  readonly ends: (name: readonly string[], from: number) => readonly number[];
}

const one = (text: string, fits: (character: string) => boolean): Part => ({
  text,
  ends: (name, from) => (from < name.length && fits(name[from] ?? '') ? [from + 1] : []),
});

const many = (text: string, fits: (character: string) => boolean): Part => ({
  text,
  ends(name, from) {
    const stop = name.findIndex((character, index) => index >= from && !fits(character));
    return Array.from({ length: (stop < 0 ? name.length : stop) - from + 1 }, (_, index) => from + index);
  },
});

const inOrder = (parts: readonly Part[]): Part => ({
  text: parts.map(({ text }) => text).join(''),
  ends: (name, from) =>
    parts.reduce<readonly number[]>(
      (reached, { ends }) => [...new Set(reached.flatMap((each) => ends(name, each)))],
      [from],
    ),
});

const anyOf = (parts: readonly Part[]): Part => ({
  text: `{${parts.map(({ text }) => text).join(',')}}`,
  ends: (name, from) => parts.flatMap(({ ends }) => ends(name, from)),
});

const CHARACTERS = ['a', 'b', 'c', 'd', '/', '-', '*', '{', ',', '\\', 'é', '中', '😀', '😃'];
const isNoSlash = (character: string) => character !== '/';
const literals = CHARACTERS.map((each) =>
  one(/[*{,\\]/.test(each) ? `\\${each}` : each, (other) => other === each),
);
const single: readonly Part[] = [
  ...literals,
  one('?', isNoSlash),
  one('[b-d]', (each) => 'bcd'.includes(each)),
  one('[!b-d]', (each) => !'bcd/'.includes(each)),
  one('[!-/]', (each) => !'-/'.includes(each)),
  one('[,\\*a-中]', (each) => each !== '/' && (',*'.includes(each) || (each >= 'a' && each <= '中'))),
  one('[😀-😂]', (each) => each === '😀'),
];
const stars: readonly Part[] = [many('*', isNoSlash), many('**', () => true)];

const { whole } = fc.letrec<{ whole: Part; part: Part }>((tie) => ({
  whole: fc
    .array(fc.tuple(tie('part'), fc.option(fc.constantFrom(...stars))), { maxLength: 5 })
    .map((parts) => inOrder(parts.flatMap(([part, star]) => (star ? [star, part] : [part])))),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...single),
    fc.array(fc.oneof(tie('whole'), fc.constantFrom(...stars)), { minLength: 1, maxLength: 3 }).map(anyOf),
  ),
}));
const names = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 7 });

describe('globs', () => {
  for (const [glob, text] of [
    ['main', 'main'],
    ['release/*', 'release/1'],
    ['release/*', 'release/'],
    ['**', 'a/b/c'],
    ['a/**/c', 'a/b/b/c'],
    ['v?.?', 'v1.2'],
    ['v[0-9]', 'v7'],
    ['v[!0-9]', 'vx'],
    ['v[a-]', 'v-'],
    ['{main,release/{1,2}}', 'release/2'],
    ['a{,b}', 'a'],
    ['\\*', '*'],
    ['[', '['],
    ['{', '{'],
    ['{a,{b,c}', '{a,c'],
    ['a,b}', 'a,b}'],
    ['[{,}]', ','],
    ['{[a,b],c}', 'c'],
    ['{\\,,\\}}', '}'],
    ['{a*,**}c', 'x/c'],
    ['é?', 'é😀'],
    ['a.c', 'a.c'],
  ] as const)
    it(`${glob} matches ${text}`, () => {
      expect(globMatches(glob, text)).to.equal(true);
    });

  for (const [glob, text] of [
    ['main', 'Main'],
    ['main', 'main2'],
    ['main', 'xmain'],
    ['*', 'a/b'],
    ['?', '/'],
    ['[!a]', '/'],
    ['v[0-9]', 'vx'],
    ['v[1-9]', 'v0'],
    ['{a,b}', 'c'],
    ['\\*', 'a'],
    ['a.c', 'abc'],
    ['{a*,b}c', 'a/c'],
    ['x{a,b}', 'x'],
    ['', 'a'],
  ] as const)
    it(`${glob} does not match ${text}`, () => {
      expect(globMatches(glob, text)).to.equal(false);
    });

  it('match whichever of many others stands in braces', () => {
    const many = Array.from({ length: 64 }, (_, index) => `v${index}`);
    for (const one of [...many, 'v00'])
      expect(globMatches(`{${many.join(',')}}`, one), one).to.equal(one !== 'v00');
    for (const one of ['aaaaaa', 'bbbbbb', 'ababab', 'aaaaab'])
      expect(globMatches('{a,b}'.repeat(6), one), one).to.equal(true);
    expect(globMatches('{a,b}'.repeat(50), 'ab'.repeat(25))).to.equal(true);
  });

  it('that would take others for ever are matched in bounded steps', () => {
    expect(globMatches(`${'*a'.repeat(100)}b`, 'a'.repeat(2_000))).to.equal(false);
    expect(globMatches('{a,b}'.repeat(50), 'c')).to.equal(false);
  });

  it('take no longer for many stars and braces than for few', async () => {
    const text = 'ab'.repeat(40_000);
    const globs = [
      `${'*a'.repeat(127)}c`,
      `{${'*,?'.repeat(40)}}c`,
      `${'{*,a}'.repeat(50)}c`,
      `**[ab]${'?'.repeat(240)}c`,
    ];
    const taken = await processorTime(() => {
      for (const glob of globs) expect(globMatches(glob, text), glob).to.equal(false);
    });
    expect(taken).to.be.below(15_000);
  });

  it('match as one place after the other says, whatever they are made of', () => {
    const parts = ['a', 'b', '/', '*', '**', '?', '[ab]', '[!a]', '{a,b}', '{*,a/}', '{,b{a,**}}'];
    const part = fc.constantFrom(...parts);
    const text = fc.array(fc.constantFrom('a', 'b', '/', 'c'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), text, (glob, letters) => {
        const [whole, name] = [glob.join(''), letters.join('')];
        expect(globMatches(whole, name), `${whole} ${name}`).to.equal(matchesPlainly(whole, name));
      }),
    );
  });

  it('match as each of their parts says, of whatever characters', () => {
    fc.assert(
      fc.property(whole, names, ({ text, ends }, name) => {
        expect(globMatches(text, name.join('')), text).to.equal(ends(name, 0).includes(name.length));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are matched together if one of them matches', () => {
    fc.assert(
      fc.property(fc.array(whole, { maxLength: 4 }), names, (globs, name) => {
        const together = globMatcher(...globs.map(({ text }) => text));
        expect(together(name.join(''))).to.equal(
          globs.some(({ ends }) => ends(name, 0).includes(name.length)),
        );
      }),
    );
  });

  it('take no longer for many different characters than for few', async () => {
    const text = String.fromCodePoint(...Array.from({ length: 20_000 }, (_, index) => 0x4e00 + index));
    const glob = `*${'?'.repeat(1_022)}b`;
    const taken = await processorTime(() => expect(globMatches(glob, text)).to.equal(false));
    expect(taken).to.be.below(1_000);
  });
});
