import type { CommandHandler } from '../../commands/handle.js';
import type { Storage } from '../../commands/quota/storage.js';
import type { Queryable } from '../../database/queryable.js';
import type { Message } from '../../domain/decider.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Position } from '../../event-store/event-store.js';
import type { Vault } from '../../vault/vault.js';
import type { Deliveries } from '../deliveries.js';
import type { FindHookTarget, HookTarget } from '../planned.js';

/** The services that consequences of events use. */
export interface FollowingServices {
  readonly db: Queryable;
  readonly commands: CommandHandler;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly vault: Vault;
  readonly deliveries: Deliveries;
  readonly findTarget: FindHookTarget;
  /** Encrypts the target of a delivery, with its secrets. */
  readonly freeze: (id: string, target: HookTarget) => Buffer;
  readonly storage: Storage;
  /** Tells whether the read models have passed a position; waits a moment for them. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** Returns the forks of a repository that are not detached from it. */
  readonly forksOf: (repositoryId: number) => Promise<readonly number[]>;
  /** Returns the repositories of an account that have forks. */
  readonly basesOf: (ownerId: number) => Promise<readonly number[]>;
}

/** What follows from a type of event: from every event of it, or from those that `when` picks. */
export interface Consequence<E extends Message> {
  readonly when?: (data: E['data']) => boolean;
  /** Does the work that follows from an event. Idempotent. */
  readonly follow: (event: DomainEvent<E>, services: FollowingServices) => Promise<void>;
}

/** Consequences by type of event; nothing follows from types that are left out. */
export type Consequences<E extends Message> = {
  readonly [Type in E['type']]?: Consequence<Extract<E, { type: Type }>>;
};
