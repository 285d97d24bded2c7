import { expect } from 'chai';
import { propertiesFor } from '../../src/editorconfig/properties.js';

const given = (...lines: readonly string[]) => ({
  at: (path: string) => propertiesFor(Buffer.from(lines.join('\n')), path),
});

describe('the properties of an .editorconfig', () => {
  it('are all eight, in the types of the API', () =>
    expect(
      given(
        '[*]',
        'charset = UTF-8',
        'indent_style = Space',
        'indent_size = 2',
        'tab_width = 4',
        'end_of_line = LF',
        'trim_trailing_whitespace = TRUE',
        'insert_final_newline = false',
        'max_line_length = 110',
      ).at('a.ts'),
    ).to.deep.equal({
      charset: 'utf-8',
      indent_style: 'space',
      indent_size: '2',
      tab_width: 4,
      end_of_line: 'lf',
      trim_trailing_whitespace: true,
      insert_final_newline: false,
      max_line_length: 110,
    }));

  it('are none where no section matches, and outside of sections', () =>
    expect(given('root = true', 'indent_size = 3', '[*.js]', 'indent_size = 2').at('a.ts')).to.deep.equal(
      {},
    ));

  it('are left out where they are longer than anything that means something: they are remembered', () => {
    const charset = (length: number) => given('[*]', `charset = ${'x'.repeat(length)}`).at('a').charset;
    expect(charset(100)).to.have.length(100);
    expect(charset(101)).to.equal(undefined);
  });

  it('come from later sections first, property by property', () =>
    expect(
      given('[*]', 'indent_size = 2', 'charset = latin1', '[*.py]', 'indent_size = 4').at('x/a.py'),
    ).to.deep.equal({ charset: 'latin1', indent_size: '4', tab_width: 4 }));

  it('are taken away by unset', () =>
    expect(
      given(
        '[*]',
        'indent_size = 2',
        'max_line_length = 80',
        '[*.md]',
        'indent_size = UNSET',
        'max_line_length=unset',
      ).at('README.md'),
    ).to.deep.equal({}));

  it('go by what is left where one of them is taken away', () => {
    const set = ['[*]', 'indent_size = 2', 'tab_width = 8'];
    for (const word of ['unset', 'UNSET'])
      expect(given(...set, '[*.md]', `tab_width = ${word} `).at('a.md'), word).to.deep.equal({
        indent_size: '2',
        tab_width: 2,
      });
  });

  it('leave out what means nothing', () =>
    expect(
      given('[*]', 'indent_size = many', 'end_of_line = none', 'max_line_length = off', 'tab_width = -1').at(
        'a',
      ),
    ).to.deep.equal({}));

  it('are counted in digits alone', () => {
    for (const count of ['1e3', '1E+3', '80.0', '8e1 ', '"80"', '0x50', '+80'])
      for (const name of ['indent_size', 'tab_width', 'max_line_length'])
        expect(given('[*]', `${name} = 4`, '[a]', `${name} = ${count}`).at('a'), count).to.deep.equal({});
  });

  it('count from one', () => {
    for (const name of ['tab_width', 'max_line_length']) {
      expect(given('[*]', `${name} = 0`).at('a'), name).to.deep.equal({});
      expect(given('[*]', `${name} = 1`).at('a'), name).to.deep.equal({ [name]: 1 });
    }
  });

  it('give tabs their size, and the width of a tab that of the indent', () => {
    expect(given('[*]', 'indent_style = tab').at('a')).to.deep.equal({
      indent_style: 'tab',
      indent_size: 'tab',
    });
    expect(given('[*]', 'indent_size = 8').at('a')).to.deep.equal({ indent_size: '8', tab_width: 8 });
  });

  const matching: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['*.js', ['a.js', 'x/y/a.js', '.js'], ['a.jsx']],
    ['/*.js', ['a.js'], ['x/a.js']],
    ['lib/*.js', ['lib/a.js'], ['a.js', 'lib/x/a.js', 'x/lib/a.js']],
    ['lib/**.js', ['lib/a.js', 'lib/x/y/a.js'], ['a.js']],
    ['file?.txt', ['file1.txt'], ['file.txt', 'file12.txt']],
    ['[ab].c', ['a.c', 'x/b.c'], ['c.c']],
    ['[!ab].c', ['c.c'], ['a.c']],
    ['{a,b}.c', ['a.c', 'b.c'], ['c.c']],
    ['{package.json,*.yml}', ['x/package.json', 'a.yml'], ['a.json']],
    ['n{1..9}', ['n1', 'n9'], ['n10', 'n0']],
    ['.hid*', ['.hidden', 'x/.hidden'], ['hidden']],
    ['*(draft).md', ['(draft).md', 'x/my(draft).md'], ['draft.md', '.md']],
    ['+(a|b)', ['+(a|b)'], ['a', 'ab']],
    ['?(1)', ['a(1)'], ['1']],
    ['\\*(1)', ['*(1)'], ['1', 'a(1)']],
    ['[!(]a', ['ba'], ['(a']],
    ['{a..c}', ['{a..c}'], ['a', 'b']],
    ['{1..9..2}', ['{1..9..2}'], ['3']],
    ['{-1..1}', ['-1', '0'], ['2', '{-1..1}']],
  ];
  for (const [pattern, matched, others] of matching)
    it(`are given by [${pattern}] to ${matched.join(' ')} and not to ${others.join(' ')}`, () => {
      const config = given(`[${pattern}]`, 'charset = utf-8');
      for (const path of matched) expect(config.at(path), path).to.deep.equal({ charset: 'utf-8' });
      for (const path of others) expect(config.at(path), path).to.deep.equal({});
    });

  it('are found past lines that do not parse', () =>
    expect(
      given(
        'nonsense',
        '[*] # all',
        '= 3',
        '[unclosed',
        'key: value',
        '; a remark',
        'indent_size = 2',
        '[]',
      ).at('a'),
    ).to.deep.equal({ indent_size: '2', tab_width: 2 }));

  it('are found behind a byte order mark and Windows line ends', () =>
    expect(propertiesFor(Buffer.from('\ufeff[*]\r\ncharset = utf-8\r\n'), 'a')).to.deep.equal({
      charset: 'utf-8',
    }));
});
