import { expect } from 'chai';
import { PageQuery, pageOf, pageReply } from '../../../src/http/answers/paging.js';

const limits = { defaultLimit: 30, maxLimit: 50 };
const page = (query: Record<string, string>) => pageOf(PageQuery.parse(query), limits);
const link = (total: number, query: Record<string, string>) =>
  pageReply([], total, page(query), 'http://host/api/v1/things?q=a').headers.Link;

describe('paging', () => {
  it('gives the first 30 by default, and whatever cannot be read is the default', () => {
    for (const query of [
      {},
      { page: '0', limit: '0' },
      { page: '-1', limit: '-5' },
      { page: 'x', limit: '1e3' },
      { page: '9223372036854775808', limit: '99999999999999999999' },
    ])
      expect(page(query)).to.deep.equal({ number: 1, limit: 30, offset: 0 });
  });

  it('gives as few as one', () => {
    expect(page({ page: '2', limit: '1' })).to.deep.equal({ number: 2, limit: 1, offset: 1 });
  });

  it('cuts the limit to the most', () => {
    expect(page({ page: '3', limit: '1000' })).to.deep.equal({ number: 3, limit: 50, offset: 100 });
  });

  it('takes no page beyond what a database can skip', () => {
    for (const number of ['999999999999999', '9223372036854775807'])
      expect(page({ page: number }).offset).to.be.within(10 ** 9, 2 ** 53);
  });

  it('links nowhere from an only page', () => {
    expect(link(30, {})).to.equal(undefined);
  });

  it('links on from the first page, both ways from the middle, back from the last', () => {
    const to = (number: number, rel: string) =>
      `<http://host/api/v1/things?q=a&page=${number}>; rel="${rel}"`;
    expect(link(65, {})).to.equal([to(2, 'next'), to(3, 'last')].join(','));
    expect(link(65, { page: '2' })).to.equal(
      [to(3, 'next'), to(3, 'last'), to(1, 'first'), to(1, 'prev')].join(','),
    );
    expect(link(65, { page: '3' })).to.equal([to(1, 'first'), to(2, 'prev')].join(','));
  });

  it('takes a page beyond the end for the last one', () => {
    expect(link(65, { page: '9' })).to.equal(link(65, { page: '3' }));
  });
});
