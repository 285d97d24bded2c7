import { z } from 'zod';
import { factsOf } from '../../commands/handle.js';
import { notFound } from '../../domain/errors.js';
import { Milestones } from '../../domain/issues/milestones.js';
import { findMilestone, listMilestones } from '../../queries/issues/milestones.js';
import type { Actions } from '../actions.js';
import { pageReply } from '../answers/paging.js';
import type { RepositoryMet } from '../repositories/place.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { definitionReader, definitionsAt, definitionWriter } from './place.js';
import { presentMilestone } from './presenter.js';
import { CreateMilestoneBody, EditMilestoneBody, Milestone, MilestonesQuery } from './schema.js';
import { instant } from './times.js';
import { unlessArchived } from './unless-archived.js';

const refusals = { 401: problem, 403: problem, 404: problem, 422: problem, 423: problem };

/** Finds a milestone by its id or its title. */
async function milestoneOf({ repository }: RepositoryMet, idOrTitle: string, { db }: Pick<Actions, 'db'>) {
  const row = await findMilestone(db, repository.id, idOrTitle);
  if (!row) throw notFound('milestone.absent', 'the milestone does not exist');
  return row;
}

/** Presents the milestone as it is now. */
const milestoneNow = async (parent: RepositoryMet, idOrTitle: string, actions: Pick<Actions, 'db'>) =>
  presentMilestone(await milestoneOf(parent, idOrTitle, actions));

export const milestoneRoutes = [
  route({
    id: 'issueGetMilestonesList',
    method: 'GET',
    path: '/repos/{owner}/{repo}/milestones',
    access: definitionReader,
    scope: 'issue',
    parent: definitionsAt,
    query: MilestonesQuery,
    answers: { 200: z.array(Milestone), 403: problem, 404: problem },
    async handle({ parent: { repository }, query, db, page, url }) {
      const part = page(query);
      const isClosed = query.state === 'open' ? false : query.state === 'closed' ? true : undefined;
      const filter = { isClosed, part: query.name };
      const [rows, total] = await listMilestones(db, repository.id, filter, part);
      return pageReply(rows.map(presentMilestone), total, part, url);
    },
  }),

  route({
    id: 'issueCreateMilestone',
    method: 'POST',
    path: '/repos/{owner}/{repo}/milestones',
    access: definitionWriter,
    scope: 'issue',
    parent: definitionsAt,
    body: CreateMilestoneBody,
    answers: { 201: Milestone, ...refusals },
    async handle(request) {
      const { parent, body, handle, newId, now } = request;
      const { title, description, due_on: due, state } = body;
      const milestone = { title, description, dueAt: due && instant(due), isClosed: state === 'closed' };
      const data = { milestoneId: await newId('milestone'), milestone, at: now() };
      const create = unlessArchived(request, { type: 'CreateMilestone', data } as const);
      const handled = await handle(Milestones, parent.repository.id, create);
      return milestoneNow(parent, String(factsOf(handled, 'MilestoneCreated').milestoneId), request);
    },
  }),

  route({
    id: 'issueGetMilestone',
    method: 'GET',
    path: '/repos/{owner}/{repo}/milestones/{id}',
    access: definitionReader,
    scope: 'issue',
    parent: definitionsAt,
    answers: { 200: Milestone, 403: problem, 404: problem },
    handle: (request) => milestoneNow(request.parent, request.params.id, request),
  }),

  route({
    id: 'issueEditMilestone',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/milestones/{id}',
    access: definitionWriter,
    scope: 'issue',
    parent: definitionsAt,
    exists: ({ parent, params, db }) => milestoneOf(parent, params.id, { db }),
    body: EditMilestoneBody,
    answers: { 200: Milestone, ...refusals },
    async handle(request) {
      const { parent, params, body, handle, now } = request;
      const { title, description, due_on: due, state } = body;
      const isClosed = state === undefined ? undefined : state === 'closed';
      const changes = { title, description, dueAt: due && instant(due), isClosed };
      let id = 0; // stays if an earlier attempt of this request edited it: it may have another title by now
      const edit = async () => {
        ({ id } = await milestoneOf(parent, params.id, request));
        return { type: 'EditMilestone', data: { milestoneId: id, changes, at: now() } } as const;
      };
      const handled = await handle(Milestones, parent.repository.id, unlessArchived(request, edit));
      await request.shown();
      return milestoneNow(
        parent,
        String(id === 0 ? factsOf(handled, 'MilestoneEdited').milestoneId : id),
        request,
      );
    },
  }),

  route({
    id: 'issueDeleteMilestone',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/milestones/{id}',
    access: definitionWriter,
    scope: 'issue',
    parent: definitionsAt,
    answers: { 204: nothing, ...refusals },
    async handle(request) {
      const { parent, params, handle, now } = request;
      const { id } = await milestoneOf(parent, params.id, request);
      const data = { milestoneId: id, at: now() };
      const remove = unlessArchived(request, { type: 'DeleteMilestone', data } as const);
      await handle(Milestones, parent.repository.id, remove);
    },
  }),
];
