import { z } from 'zod';
import { factsOf } from '../../commands/handle.js';
import type { Queryable } from '../../database/queryable.js';
import { notFound } from '../../domain/errors.js';
import type { LabelFacts } from '../../domain/labels/label.js';
import { labelOf, OrganizationLabels } from '../../domain/organizations/organization-labels.js';
import { findOrganizationLabel, listOrganizationLabels } from '../../queries/organizations/labels.js';
import { labelOrderOf, type LabelRow } from '../../queries/label-row.js';
import type { OrganizationFacts } from '../../queries/organizations/organizations.js';
import { anyone, signedInHere } from '../access.js';
import type { Actions } from '../actions.js';
import { CreateLabelBody, EditLabelBody, Label, labelAsked, LabelsQuery, presentLabelOf } from '../labels.js';
import { pageReply } from '../answers/paging.js';
import { viewerOf } from '../repositories/place.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { organizationOwner } from './access.js';
import { organizationAt } from './place.js';
import { LabelParams } from './schema.js';

type InOrganization = Pick<Actions, 'services'> & { readonly parent: OrganizationFacts };

const present = (row: LabelRow, { parent, services }: InOrganization) =>
  presentLabelOf(`${services.config.baseUrl}/api/v1/orgs/${encodeURIComponent(parent.name ?? '')}`, row);

/** As `present`, for a label's facts as the domain has them. */
const presentFacts = (id: number, { isArchived, ...facts }: LabelFacts, request: InOrganization) =>
  present({ id, ...facts, is_archived: isArchived }, request);

/** Finds the label with that id or name. Throws 404 if there is none. */
async function labelAt(db: Queryable, organizationId: number, idOrName: string) {
  const row = await findOrganizationLabel(db, organizationId, idOrName);
  if (!row) throw notFound('label.absent', 'the label does not exist');
  return row;
}

export const organizationLabelRoutes = [
  route({
    id: 'orgListLabels',
    method: 'GET',
    path: '/orgs/{org}/labels',
    access: anyone,
    scope: 'organization',
    parent: organizationAt,
    query: LabelsQuery,
    answers: { 200: z.array(Label), 404: problem },
    async handle(request) {
      const { parent, caller, query, db, page } = request;
      const part = page(query);
      const order = labelOrderOf(query.sort);
      const [rows, total] = await listOrganizationLabels(db, parent.id, viewerOf(caller), order, part);
      const labels = rows.map((row) => present(row, request));
      return pageReply(labels, total, part);
    },
  }),

  route({
    id: 'orgCreateLabel',
    method: 'POST',
    path: '/orgs/{org}/labels',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    body: CreateLabelBody,
    answers: { 201: Label, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, body, handle, newId, now } = request;
      const data = { labelId: await newId('label'), label: labelAsked(body), at: now() };
      const handled = await handle(OrganizationLabels, parent.id, { type: 'CreateOrganizationLabel', data });
      const { labelId, ...facts } = factsOf(handled, 'OrganizationLabelCreated');
      return presentFacts(labelId, facts, request);
    },
  }),

  /** The path names a label by its id or, if no label has that id, by its name. */
  route({
    id: 'orgGetLabel',
    method: 'GET',
    path: '/orgs/{org}/labels/{id}',
    access: signedInHere,
    scope: 'organization',
    parent: organizationAt,
    answers: { 200: Label, 401: problem, 404: problem },
    async handle(request) {
      const { parent, params, db } = request;
      return present(await labelAt(db, parent.id, params.id), request);
    },
  }),

  route({
    id: 'orgEditLabel',
    method: 'PATCH',
    path: '/orgs/{org}/labels/{id}',
    access: organizationOwner,
    scope: 'organization',
    params: LabelParams,
    parent: organizationAt,
    exists: ({ parent, params, db }) => labelAt(db, parent.id, String(params.id)),
    body: EditLabelBody,
    answers: { 200: Label, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, body, handle, now, services } = request;
      const data = { labelId: params.id, changes: labelAsked(body), at: now() };
      await handle(OrganizationLabels, parent.id, { type: 'EditOrganizationLabel', data });
      const { state } = await services.commands.load(OrganizationLabels, parent.id);
      return presentFacts(params.id, labelOf(state, params.id), request);
    },
  }),

  /** Succeeds also if there is no such label. */
  route({
    id: 'orgDeleteLabel',
    method: 'DELETE',
    path: '/orgs/{org}/labels/{id}',
    access: organizationOwner,
    scope: 'organization',
    params: LabelParams,
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
    async handle({ parent, params, handle, now }) {
      const data = { labelId: params.id, at: now() };
      await handle(OrganizationLabels, parent.id, { type: 'DeleteOrganizationLabel', data });
    },
  }),
];
