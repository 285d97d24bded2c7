import { expect } from 'chai';
import { mediaTypeOf } from '../../../../src/http/repositories/content/media-type.js';
import { parseSubmodules } from '../../../../src/http/repositories/content/submodules.js';
import { PIXEL } from './site.js';

describe('what a file is to a browser', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const files: readonly (readonly [string, Buffer, string])[] = [
    ['text', Buffer.from('grüße\n'), 'text/plain; charset=utf-8'],
    ['text of old', latin('gr\xfc\xdfe\n'), 'text/plain; charset=iso-8859-1'],
    ['text of old that ends with an accent', latin('caf\xe9'), 'text/plain; charset=iso-8859-1'],
    ['text that is cut within a character', Buffer.from(`${' '.repeat(4095)}ü`), 'text/plain; charset=utf-8'],
    ['wide text', Buffer.from('\ufeffgrüße\n', 'utf16le'), 'text/plain; charset=utf-16le'],
    ['text that is wide the other way', latin('\xfe\xff\0g'), 'text/plain; charset=utf-16be'],
    ['bytes that begin like wide text', latin('\xff\xfe\0\xd8\0\0'), 'application/octet-stream'],
    ['text that begins like a bitmap', Buffer.from('BMW'), 'text/plain; charset=utf-8'],
    ['nothing', Buffer.alloc(0), 'text/plain; charset=utf-8'],
    ['a page', Buffer.from('<!doctype html><script></script>'), 'text/plain; charset=utf-8'],
    ['a drawing', Buffer.from('<?xml version="1.0"?>\n<!-- by hand -->\n<svg>'), 'image/svg+xml'],
    ['an image', PIXEL, 'image/png'],
    ['a document', Buffer.from('%PDF-1.7'), 'application/pdf'],
    ['a film', latin('\0\0\0\x18ftypmp42'), 'video/mp4'],
    ['bytes', latin('\0\x01\x02'), 'application/octet-stream'],
  ];
  for (const [what, head, type] of files)
    it(`is ${type} for ${what}`, () => expect(mediaTypeOf(head)).to.equal(type));
});

describe('.gitmodules', () => {
  it('tell where submodules come from', () => {
    const text = [
      '# ours',
      '[submodule "a"]',
      '\tpath = vendor/a',
      '\turl = https://example.org/a.git',
      '[submodule "b"]',
      'url="../b.git"',
      'path="b c"',
      '[submodule "without address"]',
      'path = d',
    ].join('\n');
    expect([...parseSubmodules(text)]).to.deep.equal([
      ['vendor/a', 'https://example.org/a.git'],
      ['b c', '../b.git'],
    ]);
  });

  it('are read as git reads its configuration', () => {
    const texts: readonly (readonly [string, string, string])[] = [
      ['path = a # here\n\turl = https://example.org/a ; there', 'a', 'https://example.org/a'],
      ['Path = a\n\tURL = u\r\n', 'a', 'u'],
      ['path = "a # b"c\n\turl = "\\"u\\\\"', 'a # bc', '"u\\'],
      ['path = a\n\turl = https://example.org\\\n/a', 'a', 'https://example.org/a'],
      ['path = a\n\turl = old\n[other "a"]\npath = b\n[submodule "a"] url = u', 'a', 'u'],
    ];
    for (const [text, path, url] of texts)
      expect([...parseSubmodules(`[submodule "a"]\n\t${text}`)], text).to.deep.equal([[path, url]]);
    expect([...parseSubmodules('[remote "a"]\n\tpath = a\n\turl = u')]).to.deep.equal([]);
  });

  it('are read in a time that grows with their length', () => {
    for (const line of ['[a "\\\n', 'a="\\\n', '[a "x\n', 'url=""'])
      parseSubmodules(line.repeat(256_000 / line.length));
    const blanks = ' '.repeat(100_000);
    const text = `[submodule "a"]\nurl = ${blanks}b${blanks}\rc${blanks}\n\tpath = d${blanks}`;
    expect([...parseSubmodules(text)]).to.deep.equal([['d', `b${blanks}\rc`]]);
  });
});
