import { passesBranchFilter } from '../../domain/hooks/branch-filter.js';
import type { HookRow } from '../../queries/hooks/hooks.js';
import type { Occasion } from './occasion.js';

/** Tells whether a hook subscribes to the occasion's event type and its branch filter accepts the branch. */
export const wants = (
  { events, branch_filter: filter }: Pick<HookRow, 'events' | 'branch_filter'>,
  { eventType, branch }: Pick<Occasion, 'eventType' | 'branch'>,
): boolean => events.includes(eventType) && (branch === undefined || passesBranchFilter(filter, branch));
