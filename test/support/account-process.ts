import { createHash } from 'node:crypto';
import type { AccountServices } from '../../src/commands/accounts/create-account.js';
import { Claims } from '../../src/commands/claims.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Ids } from '../../src/commands/ids.js';
import { EventLog } from '../../src/event-log/event-log.js';
import type { EventStore } from '../../src/event-store/event-store.js';
import { TestPeople } from './people.js';

export interface AccountProcessOptions {
  readonly store: EventStore;
  readonly people: TestPeople;
  readonly patienceMs?: number;
  readonly setCredentials?: () => Promise<void>;
}

/** What one process needs to create accounts, on a store that it shares with others; its vault keeps nothing. */
export function accountProcess(options: AccountProcessOptions): AccountServices {
  const { store, people, patienceMs, setCredentials = () => Promise.resolve() } = options;
  const log = new EventLog({ store, people });
  const commands = new CommandHandler({ log });
  return {
    config: { passwordRules: { minBytes: 8, complexity: [] } },
    log,
    commands,
    claims: new Claims({ commands, ...(patienceMs !== undefined && { patienceMs }) }),
    ids: new Ids({ commands }),
    vault: {
      credentials: { set: setCredentials },
      digest: (kind, value) => createHash('sha256').update(`${kind} ${value}`).digest('hex'),
    },
  };
}
