import { expect } from 'chai';
import { mediaTypeOf } from '../../../../src/http/repositories/content/media-type.js';
import { parseSubmodules } from '../../../../src/http/repositories/content/submodules.js';
import { PIXEL } from './site.js';

describe('what a file is to a browser', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const files: readonly (readonly [string, Buffer, string])[] = [
    ['text', Buffer.from('grüße\n'), 'text/plain; charset=utf-8'],
    ['text of old', latin('gr\xfc\xdfe\n'), 'text/plain; charset=iso-8859-1'],
    ['text that is cut within a character', Buffer.from('ü').subarray(0, 1), 'text/plain; charset=utf-8'],
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
});
