import { z } from 'zod';
import { factsOf } from '../../../commands/handle.js';
import type { Queryable } from '../../../database/queryable.js';
import { notFound } from '../../../domain/errors.js';
import type { BranchProtection as Rule } from '../../../domain/repositories/branch-protection.js';
import { Repository } from '../../../domain/repositories/repository.js';
import {
  findBranchProtection,
  listBranchProtections,
} from '../../../queries/repositories/branch-protections.js';
import { pageOfAll, PageQuery, pageReply } from '../../answers/paging.js';
import { route } from '../../route.js';
import { nothing, problem } from '../../schema.js';
import { repositoryAdministrator } from '../access.js';
import { repositoryAt } from '../place.js';
import { changesIn } from './changes.js';
import { presentRule, presentRules } from './presenter.js';
import { BranchProtection, CreateBranchProtectionBody, EditBranchProtectionBody } from './schema.js';

const path = '/repos/{owner}/{repo}/branch_protections';
const rulePath = '/repos/{owner}/{repo}/branch_protections/{rule*}';
const refusals = { 401: problem, 403: problem, 404: problem };

const ruleAbsent = () => notFound('branch_protection.absent', 'no such rule');

/** Finds the rule of that name. Throws 404 if there is none. */
async function ruleAt(db: Queryable, repositoryId: number, name: string): Promise<Rule> {
  const rule = await findBranchProtection(db, repositoryId, name);
  if (!rule) throw ruleAbsent();
  return rule;
}

export const branchProtectionRoutes = [
  route({
    id: 'repoListBranchProtection',
    method: 'GET',
    path,
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    query: PageQuery,
    answers: { 200: z.array(BranchProtection), ...refusals },
    async handle({ parent: { repository }, caller, query, db, page, url }) {
      const part = page(query);
      const rules = await listBranchProtections(db, repository.id);
      const presented = await presentRules({ db, caller }, repository, pageOfAll(rules, part));
      return pageReply(presented, rules.length, part, url);
    },
  }),

  route({
    id: 'repoCreateBranchProtection',
    method: 'POST',
    path,
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    body: CreateBranchProtectionBody,
    answers: { 201: BranchProtection, 400: problem, ...refusals, 422: problem, 423: problem },
    async handle(request) {
      const { body, caller, db, handle, now } = request;
      const { repository } = request.parent;
      const ruleName = [body.rule_name, body.branch_name].find((name) => name) ?? '';
      const handled = await handle(Repository, repository.id, async () => {
        const data = { ruleName, changes: await changesIn(request, body), at: now() };
        return { type: 'AddBranchProtection', data } as const;
      });
      return presentRule({ db, caller }, repository, factsOf(handled, 'BranchProtectionAdded').rule);
    },
  }),

  route({
    id: 'repoGetBranchProtection',
    method: 'GET',
    path: rulePath,
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: BranchProtection, ...refusals },
    async handle({ parent: { repository }, params, caller, db }) {
      return presentRule({ db, caller }, repository, await ruleAt(db, repository.id, params.rule));
    },
  }),

  route({
    id: 'repoEditBranchProtection',
    method: 'PATCH',
    path: rulePath,
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    exists: ({ parent, params, db }) => ruleAt(db, parent.repository.id, params.rule),
    body: EditBranchProtectionBody,
    answers: { 200: BranchProtection, ...refusals, 422: problem, 423: problem },
    async handle(request) {
      const { params, body, caller, db, handle, now } = request;
      const { repository } = request.parent;
      const { events } = await handle(Repository, repository.id, async () => {
        const { ruleName } = await ruleAt(db, repository.id, params.rule);
        const data = { ruleName, changes: await changesIn(request, body), at: now() };
        return { type: 'EditBranchProtection', data } as const;
      });
      const edited = events.find((event) => event.type === 'BranchProtectionEdited')?.data.rule;
      return presentRule(
        { db, caller },
        repository,
        edited ?? (await ruleAt(db, repository.id, params.rule)),
      );
    },
  }),

  route({
    id: 'repoDeleteBranchProtection',
    method: 'DELETE',
    path: rulePath,
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 204: nothing, ...refusals, 423: problem },
    async handle({ parent: { repository }, params, handle, now }) {
      const data = { ruleName: params.rule, at: now() };
      await handle(Repository, repository.id, { type: 'RemoveBranchProtection', data });
    },
  }),
];
