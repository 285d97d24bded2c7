import type { DomainEvent } from '../../domain/domain-event.js';
import type { HookPlace } from '../../domain/hooks/hook-messages.js';
import type { ThresholdEvent } from '../../domain/quota/thresholds.js';
import { stringifyJson } from '../../values/json.js';
import { findAccountById } from '../../queries/accounts/accounts.js';
import { listHooksOf } from '../../queries/hooks/hooks.js';
import type { PlannedDelivery } from '../planned.js';
import { shown } from './scene.js';
import type { PayloadServices } from './services.js';

/** An account's usage has reached a threshold of a limit. Hooks are not told when it falls below one again. */
export type QuotaThresholdReached = Extract<ThresholdEvent, { type: 'QuotaThresholdReached' }>;

const EVENT = 'quota_threshold';

/**
 * Plans the deliveries of a reached threshold, to the account's own hooks and to those of the whole server; none if the
 * account has been deleted meanwhile.
 */
export async function ofThreshold(
  services: PayloadServices,
  { id, streamId, position, recordedAt, metadata, data }: DomainEvent<QuotaThresholdReached>,
): Promise<readonly PlannedDelivery[]> {
  const places: readonly HookPlace[] = [
    { scope: 'user', ownerId: Number(streamId) },
    { scope: 'organization', ownerId: Number(streamId) },
    { scope: 'system', ownerId: 0 },
  ];
  const hooks = (await listHooksOf(services.db, places, position)).filter(({ events }) =>
    events.includes(EVENT),
  );
  const account = hooks.length > 0 ? await findAccountById(services.db, Number(streamId)) : undefined;
  if (!account) return [];
  const sender = (metadata.actor && (await findAccountById(services.db, metadata.actor.id))) ?? account;
  const body = {
    action: 'reached',
    percent: data.percent,
    account: shown(account, services),
    group: data.group,
    rule: data.rule,
    subjects: data.subjects,
    limit: BigInt(data.limit),
    used: BigInt(data.used),
    at: recordedAt.toISOString(),
    position,
    event_id: id,
    sender: shown(sender, services),
  };
  const payload = stringifyJson(body, 2);
  return hooks.map((hook) => ({ hookId: hook.id, key: EVENT, event: EVENT, eventType: EVENT, payload }));
}
