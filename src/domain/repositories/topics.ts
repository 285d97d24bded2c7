import { is, Set } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { DomainError, notFound } from '../errors.js';
import type { RepositoryEvent } from './repository-messages.js';

/** The commands of the topics, as requested: letter case, surrounding white space and repetitions do not count. */
export type TopicsCommand =
  | Message<'ReplaceTopics', { topics: readonly string[]; at: string }>
  | Message<'AddTopic', { topic: string; at: string }>
  | Message<'RemoveTopic', { topic: string; at: string }>;

/** The event of the topics, which carries all of them. */
export type TopicsEvent = Extract<RepositoryEvent, { type: 'TopicsReplaced' }>;

/** The refusal of invalid topics, or of too many of them; in the latter case `topics` is null. */
export class TopicsRefused extends DomainError {
  constructor(
    code: string,
    message: string,
    readonly topics: readonly string[] | null,
  ) {
    super('invalid', code, message);
  }
}

const MAX_TOPICS = 25;
const TOPIC = /^[a-z0-9][a-z0-9.-]{0,34}$/;

/** The topics of a repository: a part of the Repository aggregate. */
export const Topics: Decider<TopicsCommand, TopicsEvent, readonly string[]> = {
  category: 'repository',
  initialState: [],

  evolve: (_, { data }) => data.topics,

  decide({ type, data }, before) {
    switch (type) {
      case 'ReplaceTopics':
        return replaced(before, data.topics.map(normalTopic), data.at);
      case 'AddTopic':
        return replaced(before, [...before, topicOf(data.topic)], data.at);
      case 'RemoveTopic': {
        const topic = topicOf(data.topic);
        if (!before.includes(topic)) throw notFound('topic.absent', 'the repository has no such topic');
        const rest = before.filter((other) => other !== topic);
        return replaced(before, rest, data.at);
      }
    }
  },
};

const normalTopic = (word: string): string => word.trim().toLowerCase();

/** Normalises and checks the single topic that a request names. */
function topicOf(word: string): string {
  const topic = normalTopic(word);
  checkTopics([topic]);
  return topic;
}

function replaced(before: readonly string[], words: readonly string[], replacedAt: string): TopicsEvent[] {
  const topics = [...new globalThis.Set(words.filter((word) => word !== ''))].sort();
  if (topics.length > MAX_TOPICS)
    throw new TopicsRefused('topic.too_many', `a repository has ${MAX_TOPICS} topics at most`, null);
  checkTopics(topics);
  if (is(Set(topics), Set(before))) return [];
  return [{ type: 'TopicsReplaced', data: { topics, before, replacedAt } }];
}

function checkTopics(topics: readonly string[]): void {
  const bad = topics.filter((topic) => !TOPIC.test(topic));
  if (bad.length > 0)
    throw new TopicsRefused(
      'topic.invalid',
      'a topic begins with a letter or digit, goes on with letters, digits, - and ., and has 35 characters at most',
      bad,
    );
}
