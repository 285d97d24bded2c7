import { passesBranchFilter } from '../../domain/hooks/branch-filter.js';
import type { HookRow } from '../../queries/hooks/hooks.js';
import type { Occasion } from './occasion.js';

/** Whether a hook asked for what happened, and its filter lets the branch pass. */
export const wants = (
  { events, branch_filter: filter }: Pick<HookRow, 'events' | 'branch_filter'>,
  { eventType, branch }: Pick<Occasion, 'eventType' | 'branch'>,
): boolean => events.includes(eventType) && (branch === undefined || passesBranchFilter(filter, branch));
