import { expect } from 'chai';
import { disposition, download, type Content, type Opened } from '../../../src/http/answers/download.js';

const read: Opened['read'] = (part) =>
  Promise.resolve(Buffer.from('0123456789').subarray(part?.start, part ? part.end + 1 : undefined));

const content: Content = {
  tag: 'abc',
  modified: new Date('2026-01-02T03:04:05.678Z'),
  headers: { 'Content-Type': 'text/plain' },
  open: () => Promise.resolve({ size: 10, read }),
};

const asked = async (headers: Readonly<Record<string, string>>, what = content) => {
  const { status, headers: answered, body } = await download(what, (name) => headers[name] ?? '');
  return { status, headers: answered, text: Buffer.isBuffer(body) ? body.toString() : body };
};

describe('a download', () => {
  it('is whole, with what names it', async () =>
    expect(await asked({})).to.deep.equal({
      status: 200,
      headers: {
        'Content-Type': 'text/plain',
        ETag: '"abc"',
        'Last-Modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
        'Accept-Ranges': 'bytes',
        'Content-Length': '10',
      },
      text: '0123456789',
    }));

  const parts: readonly (readonly [string, string, string])[] = [
    ['bytes=0-3', 'bytes 0-3/10', '0123'],
    ['bytes=4-4', 'bytes 4-4/10', '4'],
    ['bytes=7-', 'bytes 7-9/10', '789'],
    ['bytes=7-99', 'bytes 7-9/10', '789'],
    ['bytes=-2', 'bytes 8-9/10', '89'],
    ['bytes=-20', 'bytes 0-9/10', '0123456789'],
  ];
  for (const [range, given, text] of parts)
    it(`gives ${range}`, async () => {
      const answer = await asked({ Range: range });
      expect([answer.status, answer.headers['Content-Range'], answer.text]).to.deep.equal([206, given, text]);
      expect(answer.headers['Content-Length']).to.equal(String(text.length));
    });

  for (const range of ['bytes=10-', 'bytes=-0'])
    it(`has no ${range}`, async () => {
      const { status, headers, text } = await asked({ Range: range });
      expect([status, headers['Content-Range'], text]).to.deep.equal([416, 'bytes */10', undefined]);
    });

  for (const range of ['bytes=3-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b'])
    it(`is whole for ${range}`, async () => expect((await asked({ Range: range })).status).to.equal(200));

  it('takes nothing for a time that is none in HTTP', async () => {
    for (const since of ['9999', '2999-01-01T00:00:00Z', 'never'])
      expect((await asked({ 'If-Modified-Since': since })).status, since).to.equal(200);
    const since = { 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' };
    expect((await asked(since)).status).to.equal(304);
    const range = { Range: 'bytes=0-1', 'If-Range': '2026-01-02T03:04:05Z' };
    expect((await asked(range)).status).to.equal(200);
  });

  it('gives no part of what may have other bytes by then, if its tag is weak', async () => {
    const weak: Content = { tag: 'abc', weak: true, headers: {}, open: content.open };
    const range = { Range: 'bytes=0-3' };
    expect((await asked({}, weak)).headers.ETag).to.equal('W/"abc"');
    for (const tag of ['"abc"', 'W/"abc"']) {
      expect((await asked({ ...range, 'If-Range': tag }, weak)).status, tag).to.equal(200);
      expect((await asked({ 'If-None-Match': tag }, weak)).status, tag).to.equal(304);
    }
  });

  it('is whole where the range was of other bytes', async () => {
    const range = { Range: 'bytes=0-3' };
    expect((await asked({ ...range, 'If-Range': '"old"' })).status).to.equal(200);
    expect((await asked({ ...range, 'If-Range': '"abc"' })).status).to.equal(206);
    expect((await asked({ ...range, 'If-Range': 'Fri, 02 Jan 2026 03:04:05 GMT' })).status).to.equal(206);
  });

  it('is 304 where the client has it', async () => {
    for (const tags of ['"abc"', 'W/"abc"', '"x", "abc"', '*'])
      expect((await asked({ 'If-None-Match': tags })).status, tags).to.equal(304);
    expect((await asked({ 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' })).status).to.equal(304);
  });

  it('is 200 where the client has something else', async () => {
    const recent = { 'If-Modified-Since': 'Sat, 03 Jan 2026 00:00:00 GMT' };
    expect((await asked({ 'If-None-Match': '"x"', ...recent })).status).to.equal(200);
    expect((await asked({ 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).status).to.equal(200);
  });

  it('has no parts and no length while its size is not known', async () => {
    const { status, headers } = await asked(
      { Range: 'bytes=0-1' },
      {
        ...content,
        open: () => Promise.resolve({ size: undefined, read }),
      },
    );
    expect([status, headers['Content-Length']]).to.deep.equal([200, undefined]);
  });

  it('is named in ASCII, and exactly where that cannot be', () => {
    expect(disposition('inline', 'a "b".txt')).to.equal('inline; filename="a \\"b\\".txt"');
    expect(disposition('attachment', 'ü\r\n.zip')).to.equal(
      'attachment; filename="???.zip"; filename*=UTF-8\'\'%C3%BC%0D%0A.zip',
    );
    expect(disposition('inline', "it's (é*)")).to.equal(
      "inline; filename=\"it's (?*)\"; filename*=UTF-8''it%27s%20%28%C3%A9%2A%29",
    );
    expect(disposition('inline', '100%25.txt')).to.equal(
      'inline; filename="100%25.txt"; filename*=UTF-8\'\'100%2525.txt',
    );
  });
});
