import { expect } from 'chai';
import { Topics, TopicsRefused, type TopicsEvent } from '../../../src/domain/repositories/topics.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const { given } = specification(Topics);

const replaced = (before: readonly string[], topics: readonly string[]): TopicsEvent => ({
  type: 'TopicsReplaced',
  data: { topics, before, replacedAt: at },
});
const had = (...topics: string[]) => replaced([], topics);
const replace = (...topics: string[]) => ({ type: 'ReplaceTopics', data: { topics, at } }) as const;
const add = (topic: string) => ({ type: 'AddTopic', data: { topic, at } }) as const;
const remove = (topic: string) => ({ type: 'RemoveTopic', data: { topic, at } }) as const;
const many = (count: number) => Array.from({ length: count }, (_, index) => `topic-${index}`).sort();

describe('the topics of a repository', () => {
  it('are trimmed, in lower case, each there once, in order', () =>
    given()
      .when(replace(' Zebra', 'api', '', 'API ', ' '))
      .then(replaced([], ['api', 'zebra'])));
  it('are not recorded where nothing changes', () => given(had('a', 'b')).when(replace('B', 'a')).then());
  it('all go', () =>
    given(had('a'))
      .when(replace())
      .then(replaced(['a'], [])));
  it('come one by one', () =>
    given(had('b'))
      .when(add('A'))
      .then(replaced(['b'], ['a', 'b'])));
  it('that are there come without a trace', () => given(had('a')).when(add('a')).then());
  it('go one by one', () =>
    given(had('a', 'b'))
      .when(remove('A'))
      .then(replaced(['a', 'b'], ['b'])));
  it('must be there to go', () => given(had('a')).when(remove('b')).thenRefused('topic.absent'));
  it('are 25 at most', () => {
    given()
      .when(replace(...many(25)))
      .then(replaced([], many(25)));
    given()
      .when(replace(...many(26)))
      .thenRefused('topic.too_many');
    given(had(...many(25)))
      .when(add('more'))
      .thenRefused('topic.too_many');
  });
  for (const topic of ['a', '9', 'a-b.c', 'x'.repeat(35)])
    it(`may be ${topic}`, () =>
      given()
        .when(add(topic))
        .then(replaced([], [topic])));
  for (const topic of ['', ' ', '-a', '.a', 'a b', 'a_b', 'ä', 'x'.repeat(36)])
    it(`may not be '${topic}'`, () => {
      given().when(add(topic)).thenRefused('topic.invalid');
      given(had('a')).when(remove(topic)).thenRefused('topic.invalid');
    });
  it('that are refused are named', () => {
    expect(() => Topics.decide(replace('fine', 'not fine'), []))
      .to.throw(TopicsRefused)
      .with.property('topics')
      .that.deep.equals(['not fine']);
  });
});
