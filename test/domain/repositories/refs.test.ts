import { expect } from 'chai';
import { Map } from 'immutable';
import {
  changesBetween,
  decideUpdateRefs,
  defaultBranchAmong,
  firstDefaultBranch,
  hasArrived,
  inOrder,
  isRefName,
  movedRefs,
  refusedChanges,
  type RefChange,
} from '../../../src/domain/repositories/refs.js';
import { processorTime } from '../../support/processor-time.js';

const ONE = '1'.repeat(40);
const TWO = '2'.repeat(40);

const create = (ref: string): RefChange => ({ ref, before: null, after: ONE });
const codesOf = (refs: Record<string, string>, ...changes: RefChange[]) =>
  Object.fromEntries([...refusedChanges(Map(refs), changes)].map(([ref, { code }]) => [ref, code]));

describe('refs', () => {
  it('lets a ref move from where it is', () => {
    const refs = { 'refs/heads/main': ONE };
    expect(codesOf(refs, { ref: 'refs/heads/main', before: ONE, after: TWO })).to.deep.equal({});
    expect(codesOf(refs, { ref: 'refs/heads/main', before: ONE, after: null })).to.deep.equal({});
    expect(codesOf(refs, create('refs/tags/v1'))).to.deep.equal({});
  });

  it('refuses to move a ref that is elsewhere by now, and no other', () => {
    const moved = { ref: 'refs/heads/main', before: TWO, after: ONE };
    expect(codesOf({ 'refs/heads/main': ONE }, moved, create('refs/heads/topic'))).to.deep.equal({
      'refs/heads/main': 'refs.moved',
    });
    expect(codesOf({}, moved)).to.deep.equal({ 'refs/heads/main': 'refs.moved' });
    expect(codesOf({ 'refs/heads/main': ONE }, create('refs/heads/main'))).to.deep.equal({
      'refs/heads/main': 'refs.moved',
    });
  });

  it('refuses a ref below another, above it, and both at once', () => {
    expect(codesOf({ 'refs/heads/a': ONE }, create('refs/heads/a/b'))).to.deep.equal({
      'refs/heads/a/b': 'refs.in_the_way',
    });
    expect(codesOf({ 'refs/heads/a/b': ONE }, create('refs/heads/a'))).to.deep.equal({
      'refs/heads/a': 'refs.in_the_way',
    });
    expect(codesOf({}, create('refs/heads/a'), create('refs/heads/a/b'))).to.deep.equal({
      'refs/heads/a': 'refs.in_the_way',
      'refs/heads/a/b': 'refs.in_the_way',
    });
    expect(codesOf({ 'refs/heads/ab': ONE }, create('refs/heads/a'))).to.deep.equal({});
    const moves = { ref: 'refs/heads/a', before: ONE, after: TWO };
    expect(codesOf({ 'refs/heads/a': ONE }, moves, create('refs/heads/a/b')), 'one that moves').to.deep.equal(
      {
        'refs/heads/a/b': 'refs.in_the_way',
      },
    );
  });

  it('lets a ref take the place of one that is deleted with it, and is where it was seen', () => {
    const refs = { 'refs/heads/a': ONE, 'refs/heads/b/c': ONE };
    const gone = (ref: string, before = ONE): RefChange => ({ ref, before, after: null });
    const [below, above] = [create('refs/heads/a/b'), create('refs/heads/b')];
    expect(codesOf(refs, below, gone('refs/heads/a'), above, gone('refs/heads/b/c'))).to.deep.equal({});
    expect(codesOf(refs, gone('refs/heads/a', TWO), below)).to.deep.equal({
      'refs/heads/a': 'refs.moved',
      'refs/heads/a/b': 'refs.in_the_way',
    });
  });

  it('lets no name that git does not take stand in the way of another', () => {
    expect(
      codesOf({}, create('refs/heads/.a'), create('refs/heads/.a/b'), create('refs/heads/a')),
    ).to.deep.equal({ 'refs/heads/.a': 'refs.name', 'refs/heads/.a/b': 'refs.name' });
    expect(codesOf({}, create('refs/heads/a/.b'), create('refs/heads/a'))).to.deep.equal({
      'refs/heads/a/.b': 'refs.name',
    });
  });

  it('lets nothing stand in the way that is not there and is not made', () => {
    const gone = { ref: 'refs/heads/a', before: ONE, after: null };
    expect(codesOf({}, gone, create('refs/heads/a/b'))).to.deep.equal({ 'refs/heads/a': 'refs.moved' });
  });

  it('puts deletions first only where they make room', () => {
    const remove = (ref: string): RefChange => ({ ref, before: ONE, after: null });
    const [make, below] = [create('refs/heads/a'), create('refs/heads/a/b/c')];
    const [gone, goneBelow, goneBeside] = [
      remove('refs/heads/a'),
      remove('refs/heads/a/b/c'),
      remove('refs/heads/ab'),
    ];
    expect(inOrder([below, gone])).to.deep.equal([[gone], [below]]);
    expect(inOrder([make, goneBeside, goneBelow])).to.deep.equal([[goneBeside, goneBelow], [make]]);
    for (const together of [[make, below, goneBeside], [gone], [make], []])
      expect(inOrder(together)).to.deep.equal([together]);
  });

  it('creates one beside many in deep folders without looking at each of those', async () => {
    const deep = Array.from({ length: 20_000 }, (_, index) => [
      `refs/heads/${index}/${'a/'.repeat(490)}b`,
      ONE,
    ]);
    const refs = Object.fromEntries(deep) as Record<string, string>;
    const taken = await processorTime(() =>
      expect(codesOf(refs, create('refs/heads/1'))).to.deep.equal({ 'refs/heads/1': 'refs.in_the_way' }),
    );
    expect(taken).to.be.below(6_000);
  });

  it('refuses what would be more than any repository has, and nothing else', () => {
    const refs = Map({ 'refs/heads/a': ONE, 'refs/heads/b': ONE });
    const changes = [
      create('refs/heads/.c'),
      { ref: 'refs/heads/a', before: ONE, after: TWO },
      create('refs/heads/c'),
      create('refs/heads/d'),
      { ref: 'refs/heads/b', before: ONE, after: null },
    ];
    const codes = [...refusedChanges(refs, changes, 3)].map(([ref, { code }]) => [ref, code]);
    expect(codes).to.deep.equal([
      ['refs/heads/.c', 'refs.name'],
      ['refs/heads/d', 'refs.too_many'],
    ]);
  });

  it('refuses to give a name that git does not take', () => {
    expect(codesOf({}, create('refs/heads/a b'))).to.deep.equal({ 'refs/heads/a b': 'refs.name' });
  });

  it('decides on all changes or none, and passes over what stays', () => {
    const refs = Map({ 'refs/heads/main': ONE });
    const update = (ref: string, before: string | null, after: string) => ({
      ref,
      before,
      after,
      committedAt: null,
    });
    const stays = update('refs/heads/main', ONE, ONE);
    const topic = update('refs/heads/topic', null, TWO);
    expect(decideUpdateRefs(refs, { updates: [stays, topic] })).to.deep.equal([topic]);
    expect(() => decideUpdateRefs(refs, { updates: [topic, update('refs/heads/main', TWO, ONE)] })).to.throw(
      'main has moved meanwhile',
    );
  });

  it('has arrived where it was to go, unless it was to stay there', () => {
    const refs = Map({ 'refs/heads/main': TWO });
    expect(hasArrived(refs, { ref: 'refs/heads/main', before: ONE, after: TWO })).to.equal(true);
    expect(hasArrived(refs, { ref: 'refs/heads/main', before: null, after: TWO })).to.equal(true);
    expect(hasArrived(refs, { ref: 'refs/heads/topic', before: ONE, after: null })).to.equal(true);
    expect(hasArrived(refs, { ref: 'refs/heads/main', before: TWO, after: ONE })).to.equal(false);
    expect(hasArrived(refs, { ref: 'refs/heads/main', before: TWO, after: TWO })).to.equal(false);
  });

  it('moves and deletes a ref whose name it would not give any more', () => {
    const refs = { 'refs/heads/-x': ONE };
    expect(codesOf(refs, { ref: 'refs/heads/-x', before: ONE, after: TWO })).to.deep.equal({});
    expect(codesOf(refs, { ref: 'refs/heads/-x', before: ONE, after: null })).to.deep.equal({});
  });

  for (const name of [
    'refs/heads/main',
    'refs/heads/a/b',
    'refs/tags/v1.0',
    'refs/notes/commits',
    'refs/heads/ä@x',
    'refs/heads/🐙',
    'refs/heads/a/-x',
    'refs/heads/a/@',
    'refs/tags/@/a',
    `refs/heads/${`${'a'.repeat(197)}/`.repeat(4)}${'a'.repeat(197)}`,
    `refs/heads/${'a/'.repeat(47)}b`,
  ])
    it(`takes ${name.slice(0, 40)} for a name`, () => {
      expect(isRefName(name)).to.equal(true);
    });

  for (const name of [
    'HEAD',
    'main',
    'refs/',
    'refs/heads',
    'refs/heads/',
    'refs/tags',
    'refs/heads//a',
    'refs/heads/a/',
    'refs/heads/.a',
    'refs/heads/a..b',
    'refs/heads/a.lock',
    'refs/heads/a.lock/b',
    'refs/heads/a.',
    'refs/heads/@',
    'refs/tags/@',
    'refs/heads/a@{1}',
    'refs/heads/a b',
    ...'~^:?*[\\\0\x1f\x7f'.split('').map((char) => `refs/heads/a${char}b`),
    ...['\ufffd', '\udce9'].map((char) => `refs/heads/caf${char}`), // for bytes that are not UTF-8
    'refs/heads/-x',
    'refs/tags/--upload-pack=x',
    `refs/heads/${'a'.repeat(241)}`,
    `refs/heads/${`${'a'.repeat(197)}/`.repeat(4)}${'a'.repeat(198)}`,
    `refs/heads/${'a/'.repeat(48)}b`,
  ])
    it(`does not take ${JSON.stringify(name.slice(0, 40))} for a name`, () => {
      expect(isRefName(name)).to.equal(false);
    });

  it('gives a repository its first default branch: main, then master, then the first', () => {
    const first = (...names: string[]) =>
      firstDefaultBranch(
        Map(),
        names.map((name) => create(`refs/heads/${name}`)),
      );
    expect(first('a', 'master', 'main')).to.equal('main');
    expect(first('a', 'master')).to.equal('master');
    expect(first('b', 'a')).to.equal('b');
    expect(firstDefaultBranch(Map(), [create('refs/tags/v1')])).to.equal(undefined);
    expect(firstDefaultBranch(Map({ 'refs/heads/x': ONE }), [create('refs/heads/main')])).to.equal(undefined);
    expect(firstDefaultBranch(Map({ 'refs/tags/x': ONE }), [create('refs/heads/main')])).to.equal('main');
  });

  it('takes the default branch that is named where it is among the refs, else one that is, else what was named', () => {
    const among = (named: string | undefined, ...names: string[]) =>
      defaultBranchAmong(new globalThis.Map(names.map((name) => [`refs/heads/${name}`, ONE])), named);
    expect(among('topic', 'main', 'topic')).to.equal('topic');
    expect(among('gone', 'topic', 'main')).to.equal('main');
    expect(among(undefined, 'topic')).to.equal('topic');
    expect(among('later')).to.equal('later');
  });

  it('finds the changes between two sets of refs, and applying them gives the second', () => {
    const from = Map({ 'refs/heads/a': ONE, 'refs/heads/b': ONE, 'refs/heads/c': ONE });
    const to = Map({ 'refs/heads/a': ONE, 'refs/heads/b': TWO, 'refs/heads/d': TWO });
    const changes = changesBetween(from, to);
    expect(changes).to.deep.equal([
      { ref: 'refs/heads/b', before: ONE, after: TWO },
      { ref: 'refs/heads/d', before: null, after: TWO },
      { ref: 'refs/heads/c', before: ONE, after: null },
    ]);
    const updates = changes.map((change) => ({ ...change, committedAt: null }));
    expect(movedRefs(from, updates).equals(to)).to.equal(true);
  });
});
