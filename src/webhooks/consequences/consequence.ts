import type { CommandContext } from '../../commands/context.js';
import type { CommandHandler } from '../../commands/handle.js';
import type { Storage } from '../../commands/quota/storage.js';
import type { Queryable } from '../../database/database.js';
import type { Message } from '../../domain/decider.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import { stepId } from '../../event-log/event-id.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Position } from '../../event-store/event-store.js';
import type { Vault } from '../../vault/vault.js';
import type { Deliveries } from '../deliveries.js';
import type { FindHookTarget, HookTarget } from '../planned.js';

/** What consequences of events are brought about with. */
export interface FollowingServices {
  readonly db: Queryable;
  readonly commands: CommandHandler;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly vault: Vault;
  readonly deliveries: Deliveries;
  readonly findTarget: FindHookTarget;
  /** Seals where a delivery goes, with its secrets. */
  readonly freeze: (id: string, target: HookTarget) => Buffer;
  readonly storage: Storage;
  /** Whether the read models have passed a position, or do soon. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** The forks of a repository that are not detached from it. */
  readonly forksOf: (repositoryId: number) => Promise<readonly number[]>;
  /** The repositories of an account that have forks. */
  readonly basesOf: (ownerId: number) => Promise<readonly number[]>;
}

/** What follows from a type of event: from every event of it, or from those that `when` picks. */
export interface Consequence<E extends Message> {
  readonly when?: (data: E['data']) => boolean;
  /** Brings it about. Done again it changes nothing. */
  readonly follow: (event: DomainEvent<E>, services: FollowingServices) => Promise<void>;
}

/** By type of event; nothing follows from those that are left out. */
export type Consequences<E extends Message> = {
  readonly [Type in E['type']]?: Consequence<Extract<E, { type: Type }>>;
};

/** The context of what completes the request that an event came of; `name` tells its steps apart. */
export const inTheNameOf = ({ id, metadata }: DomainEvent, name: string): CommandContext => ({
  commandId: stepId(id, name),
  at: new Date().toISOString(),
  correlationId: metadata.$correlationId,
  ...(metadata.actor && { actor: metadata.actor }),
});
