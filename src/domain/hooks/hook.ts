import type { Decider } from '../decider.js';
import { difference } from '../difference.js';
import { notFound } from '../errors.js';
import type { HookCommand, HookEvent, HookFacts, HookPlace } from './hook-messages.js';

interface Standing {
  readonly hookId: number;
  readonly place: HookPlace;
  readonly facts: HookFacts;
}

/** The hook; undefined before its creation and after its deletion. */
interface State {
  readonly hook: Standing | undefined;
}

/** A hook: the address that it notifies, and what of. Its secrets are in the vault. */
export const Hook: Decider<HookCommand, HookEvent, State> = {
  category: 'hook',
  initialState: { hook: undefined },

  evolve({ hook }, { type, data }) {
    switch (type) {
      case 'HookCreated':
        return { hook: { hookId: data.hookId, place: placeOf(data), facts: factsOf(data) } };
      case 'HookEdited':
        return { hook: hook && { ...hook, facts: { ...hook.facts, ...data.changes } } };
      case 'HookDeleted':
        return { hook: undefined };
    }
  },

  decide({ type, data }, { hook }) {
    switch (type) {
      case 'CreateHook': {
        const { hookId, type: hookType, facts, at } = data;
        return [
          {
            type: 'HookCreated',
            data: { hookId, ...placeOf(data), type: hookType, ...facts, createdAt: at },
          },
        ];
      }
      case 'EditHook': {
        const { hookId, place, facts } = present(hook);
        const changed = difference(facts, data.changes);
        if (!changed) return [];
        const { before, after: changes } = changed;
        return [{ type: 'HookEdited', data: { hookId, ...place, changes, before, editedAt: data.at } }];
      }
      case 'DeleteHook': {
        const { hookId, place } = present(hook);
        return [{ type: 'HookDeleted', data: { hookId, ...place, deletedAt: data.at } }];
      }
    }
  },
};

function present(hook: Standing | undefined): Standing {
  if (!hook) throw notFound('hook.absent', 'the hook does not exist');
  return hook;
}

const placeOf = ({ scope, ownerId }: HookPlace): HookPlace => ({ scope, ownerId });

const factsOf = (facts: HookFacts): HookFacts => ({
  url: facts.url,
  contentType: facts.contentType,
  events: facts.events,
  branchFilter: facts.branchFilter,
  isActive: facts.isActive,
  secretId: facts.secretId,
  authorizationId: facts.authorizationId,
});
