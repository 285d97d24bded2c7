import type { Turns } from '../../concurrency/turns.js';
import { passesBranchFilter } from '../../domain/hooks/branch-filter.js';
import type { HookRow } from '../../queries/hooks/hooks.js';
import type { Occasion } from './occasion.js';

/** Returns the hooks that are told of an occasion. Each is asked in a turn, because many may have slow filters. */
export async function wanting(
  hooks: readonly HookRow[],
  occasion: Occasion,
  turns: Turns,
): Promise<readonly HookRow[]> {
  const wanted: HookRow[] = [];
  for (const hook of hooks) if (await turns.take(() => wants(hook, occasion))) wanted.push(hook);
  return wanted;
}

/** Tells whether a hook subscribes to the occasion's event type and its branch filter accepts the branch. */
const wants = (
  { scope, events, branch_filter: filter }: HookRow,
  { eventType, branch, isHidden = false }: Occasion,
): boolean =>
  events.includes(eventType) &&
  (branch === undefined || passesBranchFilter(filter, branch)) &&
  (!isHidden || scope === 'system');
