import { expect } from 'chai';
import { undescribed, type Answered } from '../../support/described.js';

const version: Answered = {
  method: 'GET',
  path: '/version',
  status: 200,
  type: 'application/json;charset=utf-8',
  text: '{"version":"1","tallyforge":"1"}',
};

const archive: Answered = {
  method: 'GET',
  path: '/repos/ada/engine/archive/main.zip',
  status: 200,
  type: 'application/zip',
  text: 'something',
};

describe('answers compared with the description', () => {
  it('pass as they are described, at any path of an operation', () => {
    expect(undescribed(version)).to.equal(undefined);
    const topics = { ...version, path: '/repos/ada/engine/topics?page=2', text: '{"topics":["a"]}' };
    expect(undescribed(topics)).to.equal(undefined);
    expect(undescribed({ ...version, path: '/nowhere', status: 418 })).to.equal(undefined);
  });

  it('pass as bytes of the types that an archive may have, and of any as a file', () => {
    for (const type of ['application/zip', 'application/gzip', 'application/octet-stream'])
      expect(undescribed({ ...archive, type }), type).to.equal(undefined);
    const file = { ...archive, path: '/repos/ada/engine/raw/a.pdf', type: 'application/pdf' };
    expect(undescribed(file)).to.equal(undefined);
  });

  for (const [what, answer, said] of [
    ['a field of another type', { text: '{"version":1,"tallyforge":"1"}' }, /must be string/],
    ['a field too many', { text: '{"version":"1","tallyforge":"1","more":1}' }, /additional properties/],
    ['a field too few', { text: '{}' }, /required property 'version'/],
    ['another status', { status: 418 }, /answered 418/],
    ['another type of content', { type: 'text/html' }, /with text\/html/],
    ['another type of bytes', { ...archive, type: 'text/html' }, /with text\/html/],
    ['a body where there is none', { method: 'DELETE', path: '/orgs/engines', status: 204 }, /with a body/],
  ] as const)
    it(`fail for ${what}`, () => {
      expect(undescribed({ ...version, ...answer })).to.match(said);
    });
});
