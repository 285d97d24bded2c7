import type { HookEvent, HookFacts } from '../../src/domain/hooks/hook-messages.js';
import { defined } from '../../src/values/defined.js';
import { projection, type Columns } from '../projection.js';

/**
 * `hooks`: every hook. Hooks of a deleted repository or account stay until the dispatcher has queued their last deliveries
 * and deletes them.
 */
export const hooks = projection<HookEvent>()({
  name: 'hooks',
  version: 2,
  tables: { hooks: { key: ['id'] } },
  on: {
    HookCreated: ({ data, position }, { hooks }) =>
      hooks.put({
        id: data.hookId,
        scope: data.scope,
        owner_id: data.ownerId,
        type: data.type,
        ...columnsOf(data),
        created_position: position,
        created_at: data.createdAt,
        updated_at: data.createdAt,
      }),
    HookEdited: ({ data }, { hooks }) =>
      hooks.patch({ id: data.hookId }, { updated_at: data.editedAt, ...columnsOf(data.changes) }),
    HookDeleted: ({ data }, { hooks }) => hooks.remove({ id: data.hookId }),
  },
});

const columnsOf = (facts: Partial<HookFacts>): Columns =>
  defined({
    url: facts.url,
    content_type: facts.contentType,
    events: facts.events,
    branch_filter: facts.branchFilter,
    is_active: facts.isActive,
    secret_id: facts.secretId,
    authorization_id: facts.authorizationId,
  });
