import { z } from 'zod';
import { factsOf } from '../../commands/handle.js';
import { notFound } from '../../domain/errors.js';
import { RepositoryLabels } from '../../domain/issues/repository-labels.js';
import { findRepositoryLabel, listRepositoryLabels } from '../../queries/issues/labels.js';
import { labelOrderOf } from '../../queries/label-row.js';
import type { Actions } from '../actions.js';
import { CreateLabelBody, EditLabelBody, Label, labelAsked, LabelsQuery } from '../labels.js';
import { pageReply } from '../answers/paging.js';
import type { RepositoryMet } from '../repositories/place.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { definitionReader, definitionsAt, definitionWriter } from './place.js';
import { presentLabel } from './presenter.js';
import { PartParams } from './schema.js';
import { unlessArchived } from './unless-archived.js';

const refusals = { 401: problem, 403: problem, 404: problem, 422: problem, 423: problem };

/** Presents the label as it is now. */
async function labelNow(
  { repository }: RepositoryMet,
  id: string,
  { db, services }: Pick<Actions, 'db' | 'services'>,
) {
  const row = await findRepositoryLabel(db, repository.id, id);
  if (!row) throw notFound('label.absent', 'the label does not exist');
  return presentLabel(row, repository, services.config.baseUrl);
}

export const labelRoutes = [
  route({
    id: 'issueListLabels',
    method: 'GET',
    path: '/repos/{owner}/{repo}/labels',
    access: definitionReader,
    scope: 'issue',
    parent: definitionsAt,
    query: LabelsQuery,
    answers: { 200: z.array(Label), 403: problem, 404: problem },
    async handle({ parent: { repository }, query, db, services, page }) {
      const part = page(query);
      const [rows, total] = await listRepositoryLabels(db, repository.id, labelOrderOf(query.sort), part);
      const labels = rows.map((row) => presentLabel(row, repository, services.config.baseUrl));
      return pageReply(labels, total, part);
    },
  }),

  route({
    id: 'issueCreateLabel',
    method: 'POST',
    path: '/repos/{owner}/{repo}/labels',
    access: definitionWriter,
    scope: 'issue',
    parent: definitionsAt,
    body: CreateLabelBody,
    answers: { 201: Label, ...refusals },
    async handle(request) {
      const { parent, body, handle, newId, now } = request;
      const labels = [{ labelId: await newId('label'), label: labelAsked(body) }];
      const data = { labels, at: now() };
      const create = unlessArchived(request, { type: 'CreateLabels', data } as const);
      const handled = await handle(RepositoryLabels, parent.repository.id, create);
      return labelNow(parent, String(factsOf(handled, 'LabelCreated').labelId), request);
    },
  }),

  route({
    id: 'issueGetLabel',
    method: 'GET',
    path: '/repos/{owner}/{repo}/labels/{id}',
    access: definitionReader,
    scope: 'issue',
    parent: definitionsAt,
    answers: { 200: Label, 403: problem, 404: problem },
    handle: (request) => labelNow(request.parent, request.params.id, request),
  }),

  route({
    id: 'issueEditLabel',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/labels/{id}',
    access: definitionWriter,
    scope: 'issue',
    params: PartParams,
    parent: definitionsAt,
    exists: ({ parent, params, ...request }) => labelNow(parent, String(params.id), request),
    body: EditLabelBody,
    answers: { 200: Label, ...refusals },
    async handle(request) {
      const { parent, params, body, handle, now } = request;
      const data = { labelId: params.id, changes: labelAsked(body), at: now() };
      const edit = unlessArchived(request, { type: 'EditLabel', data } as const);
      await handle(RepositoryLabels, parent.repository.id, edit);
      await request.shown();
      return labelNow(parent, String(params.id), request);
    },
  }),

  route({
    id: 'issueDeleteLabel',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/labels/{id}',
    access: definitionWriter,
    scope: 'issue',
    params: PartParams,
    parent: definitionsAt,
    answers: { 204: nothing, ...refusals },
    async handle(request) {
      const { parent, params, handle, now } = request;
      const data = { labelId: params.id, at: now() };
      const remove = unlessArchived(request, { type: 'DeleteLabel', data } as const);
      await handle(RepositoryLabels, parent.repository.id, remove);
    },
  }),
];
