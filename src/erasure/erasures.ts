import { erasePerson, type ErasureServices } from '../commands/accounts/erase-person.js';
import { inTheNameOf } from '../commands/context.js';
import type { DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { AccountEvent } from '../domain/accounts/account-messages.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { follow, type FollowOptions } from '../followers/follow.js';
import type { Leftovers } from './leftovers.js';

type Erasing = DomainEvent<Extract<AccountEvent, { type: 'AccountDeleted' | 'PersonErased' }>>;

/** The log to follow, the services that erase a person, and those that remove the remaining copies. */
export interface ErasuresOptions extends Pick<FollowOptions<Erasing>, 'log' | 'logger'> {
  readonly database: DatabaseOptions;
  readonly services: ErasureServices;
  readonly leftovers: Pick<Leftovers, 'passed' | 'remove'>;
}

/**
 * Completes every order to erase a person, even after a crash: `AccountDeleted` with `erase` leads to `PersonErased`, and
 * once all read models have passed that, the remaining copies of the person's data are removed.
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
      async handle(event) {
        const { accountId } = event.data;
        if (event.type === 'PersonErased') {
          await leftovers.passed(event.position, signal);
          await leftovers.remove(accountId, signal);
        } else await erasePerson(services, accountId, inTheNameOf(event, 'erase'));
      },
    },
    signal,
  );

const isErasing = (event: DomainEvent): event is Erasing => {
  const { type, data } = event as Erasing;
  return (type === 'AccountDeleted' && data.erase === true) || type === 'PersonErased';
};
