import { z } from 'zod';
import { TopicsRefused, type TopicsCommand } from '../../domain/repositories/topics.js';
import { Repository } from '../../domain/repositories/repository.js';
import { searchTopics } from '../../queries/repositories/topics.js';
import { anyone } from '../access.js';
import { timeText } from '../answers/time-text.js';
import type { Actions } from '../actions.js';
import { reply } from '../answers/answer.js';
import { pageHeaders, pageOfAll, PageQuery } from '../answers/paging.js';
import { route } from '../route.js';
import { nothing, optional, problem } from '../schema.js';
import { repositoryAdministrator, repositoryReader } from './access.js';
import { repositoryAt, viewerOf, wholeRepositoryAt, type RepositoryMet } from './place.js';

/** The domain checks topics. */
const ReplaceTopicsBody = z
  .object({ topics: optional(z.array(z.string()).max(1_000)) })
  .meta({ id: 'RepoTopicOptions' });

const TopicNames = z.object({ topics: z.array(z.string()) }).meta({ id: 'TopicNames' });

const InvalidTopics = z
  .object({ message: z.string(), invalidTopics: z.array(z.string()).nullable() })
  .meta({ id: 'InvalidTopics' });

const Topic = z
  .object({
    id: z.int(),
    topic_name: z.string(),
    repo_count: z.int(),
    created: z.string(),
    updated: z.string(),
  })
  .meta({ id: 'Topic' });

type Request = Pick<Actions, 'handle'> & { readonly parent: RepositoryMet };

/** Runs a command. The answer to a refused one lists the invalid topics, because clients expect that. */
async function change({ handle, parent }: Request, command: TopicsCommand): Promise<unknown> {
  try {
    await handle(Repository, parent.repository.id, command);
  } catch (error) {
    if (!(error instanceof TopicsRefused)) throw error;
    return reply(422, { message: error.message, invalidTopics: error.topics });
  }
  return undefined;
}

const answers = {
  204: nothing,
  401: problem,
  403: problem,
  404: problem,
  422: z.union([InvalidTopics, problem]),
  423: problem,
};

export const topicRoutes = [
  route({
    id: 'repoListTopics',
    method: 'GET',
    path: '/repos/{owner}/{repo}/topics',
    access: repositoryReader,
    scope: 'repository',
    parent: wholeRepositoryAt,
    query: PageQuery,
    answers: { 200: TopicNames, 403: problem, 404: problem },
    handle({ parent: { repository }, query, page, url }) {
      const part = page(query);
      const topics = [...repository.topics].sort();
      return reply(200, { topics: pageOfAll(topics, part) }, pageHeaders(topics.length, part, url));
    },
  }),

  route({
    id: 'repoUpdateTopics',
    method: 'PUT',
    path: '/repos/{owner}/{repo}/topics',
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    body: ReplaceTopicsBody,
    answers,
    handle: (request) =>
      change(request, {
        type: 'ReplaceTopics',
        data: { topics: request.body.topics ?? [], at: request.now() },
      }),
  }),

  route({
    id: 'repoAddTopic',
    method: 'PUT',
    path: '/repos/{owner}/{repo}/topics/{topic}',
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    answers,
    handle: (request) =>
      change(request, { type: 'AddTopic', data: { topic: request.params.topic, at: request.now() } }),
  }),

  route({
    id: 'repoDeleteTopic',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/topics/{topic}',
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    answers,
    handle: (request) =>
      change(request, { type: 'RemoveTopic', data: { topic: request.params.topic, at: request.now() } }),
  }),

  /** Counts only the repositories that the caller may see. */
  route({
    id: 'topicSearch',
    method: 'GET',
    path: '/topics/search',
    access: anyone,
    scope: 'repository',
    query: PageQuery.extend({ q: optional(z.string()) }),
    answers: { 200: z.object({ topics: z.array(Topic) }) },
    async handle({ query, caller, db, page, url }) {
      const part = page(query);
      const text = query.q ?? '';
      const viewer = viewerOf(caller);
      const [rows, total] = await searchTopics(db, text, viewer, part);
      const topics = rows.map((row) => ({
        id: row.id,
        topic_name: row.topic,
        repo_count: row.repositories,
        created: timeText(row.created_at),
        updated: timeText(row.updated_at),
      }));
      return reply(200, { topics }, pageHeaders(total, part, url));
    },
  }),
];
