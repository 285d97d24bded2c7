import { z } from 'zod';
import { passesBranchFilter } from '../../domain/hooks/branch-filter.js';
import { BRANCHES } from '../../domain/repositories/refs.js';
import type { HookRow } from '../../queries/hooks/hooks.js';
import { deliveryId } from '../../webhooks/delivery-id.js';
import { bodyText } from '../../webhooks/payloads/body-text.js';
import { pushBody } from '../../webhooks/payloads/refs.js';
import { sceneOf } from '../../webhooks/payloads/scene.js';
import { revisionAt, type Named } from '../repositories/content/revision.js';
import { wholeRepositoryAt } from '../repositories/place.js';
import { route } from '../route.js';
import { nothing, optional, problem } from '../schema.js';
import { repositoryHooks } from './families.js';
import { hookAt } from './family.js';

const { path, access, scope, hookParams, placeOf } = repositoryHooks;

/** Sends a push of one commit to this hook alone; sends nothing if the hook is not subscribed to it. */
export const testHook = route({
  id: 'repoTestHook',
  method: 'POST',
  path: `${path}/{id}/tests`,
  access,
  scope,
  params: hookParams,
  parent: wholeRepositoryAt,
  query: z.object({ ref: optional(z.string()) }),
  answers: { 204: nothing, 401: problem, 403: problem, 404: problem },
  async handle(request) {
    const { parent: met, params, query, caller, context, services, db } = request;
    const { repository } = met;
    const hook = await hookAt(db, placeOf(met), params.id);
    if (repository.is_empty) return;
    const { ref: asked = '' } = query;
    const named = await revisionAt(request, asked);
    if (!isTold(hook, named)) return;
    const scene = sceneOf({ actor: { id: caller.accountId, name: caller.name } }, repository, services);
    const update = {
      ref: asked === '' ? BRANCHES + repository.default_branch : asked,
      before: named.hash,
      after: named.hash,
      commits: [named.hash],
      commitCount: 1,
      committedAt: null,
    };
    const body = await pushBody(update, scene, { detail: 'verification' });
    const planned = {
      hookId: hook.id,
      key: 'test',
      repositoryId: repository.id,
      event: 'push',
      eventType: 'push',
      payload: bodyText(body, 'push', hook.type),
    };
    await services.deliveries.send(planned, deliveryId(context.commandId, planned));
  },
});

function isTold({ is_active, events, branch_filter }: HookRow, named: Named): boolean {
  const branch = branchOf(named);
  const passes = branch === undefined || passesBranchFilter(branch_filter, branch);
  return is_active && events.includes('push') && passes;
}

/** Returns the branch that a revision names, in short or in full; undefined if it names none. */
function branchOf({ kind, word }: Named): string | undefined {
  if (kind === 'branch') return word;
  const [, name] = /^(?:refs\/)?heads\/([^~^]+)$/.exec(word) ?? [];
  return kind === 'commit' ? name : undefined;
}
