import type { Message } from '../decider.js';
import { conflict } from '../errors.js';
import type { Mirror, RepositoryEvent } from './repository-messages.js';

/** What came of one pull of a mirror; without a failure it is where its source is. */
export type MirroringCommand = Message<'RecordPull', { failure?: string; at: string }>;

/** A mirror notes each pull, so that the next one is due an interval later, whatever came of it. */
export function decideMirroring(
  { data: { failure, at } }: MirroringCommand,
  { mirror }: { readonly mirror: Mirror | null },
): readonly RepositoryEvent[] {
  if (!mirror) throw conflict('mirror.none', 'the repository is no mirror');
  return failure === undefined
    ? [{ type: 'MirrorPulled', data: { pulledAt: at } }]
    : [{ type: 'MirrorPullFailed', data: { reason: failure, failedAt: at } }];
}
