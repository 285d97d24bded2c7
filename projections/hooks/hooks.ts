import type { HookEvent, HookFacts } from '../../src/domain/hooks/hook-messages.js';
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

const columnsOf = (facts: Partial<HookFacts>): Columns => ({
  ...(facts.url !== undefined && { url: facts.url }),
  ...(facts.contentType !== undefined && { content_type: facts.contentType }),
  ...(facts.events !== undefined && { events: facts.events }),
  ...(facts.branchFilter !== undefined && { branch_filter: facts.branchFilter }),
  ...(facts.isActive !== undefined && { is_active: facts.isActive }),
  ...(facts.secretId !== undefined && { secret_id: facts.secretId }),
  ...(facts.authorizationId !== undefined && { authorization_id: facts.authorizationId }),
});
