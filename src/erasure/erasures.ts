import { erasePerson, type ErasureServices } from '../commands/accounts/erase-person.js';
import type { DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { AccountEvent } from '../domain/accounts/account-messages.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { stepId } from '../event-log/event-id.js';
import { follow, type FollowOptions } from '../followers/follow.js';
import type { Leftovers } from './leftovers.js';

type Erasing = DomainEvent<Extract<AccountEvent, { type: 'AccountDeleted' | 'PersonErased' }>>;

/** The log that orders come from, what a person is forgotten with, and what removes the copies that are left. */
export interface ErasuresOptions extends Pick<FollowOptions<Erasing>, 'log' | 'logger'> {
  readonly database: DatabaseOptions;
  readonly services: ErasureServices;
  readonly leftovers: Pick<Leftovers, 'passed' | 'remove'>;
}

/**
 * Sees every order to forget a person through, wherever a crash cut it off: `AccountDeleted` with `erase` leads to
 * `PersonErased`, and once everybody else has passed that, what copies are left of the person are removed.
 */
export const runErasures = (
  { services, leftovers, ...options }: ErasuresOptions,
  signal: AbortSignal,
): Promise<void> =>
  follow(
    {
      ...options,
      lease: 'erasures',
      checkpoint: fragment`erasures.checkpoint`,
      concerns: isErasing,
      reached: () => Promise.resolve(true),
      async handle({ type, data: { accountId }, id, position, metadata }) {
        if (type === 'PersonErased') {
          await leftovers.passed(position, signal);
          await leftovers.remove(accountId, signal);
        } else
          await erasePerson(services, accountId, {
            commandId: stepId(id, 'erase'),
            at: new Date().toISOString(),
            correlationId: metadata.$correlationId,
          });
      },
    },
    signal,
  );

const isErasing = (event: DomainEvent): event is Erasing => {
  const { type, data } = event as Erasing;
  return (type === 'AccountDeleted' && data.erase === true) || type === 'PersonErased';
};
