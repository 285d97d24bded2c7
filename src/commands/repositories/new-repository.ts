import type { AskedLabel } from '../../domain/labels/label.js';
import type { Extras } from '../../domain/repositories/lifecycle.js';
import type { CollaboratorPermission, Hash, Mirror } from '../../domain/repositories/repository-messages.js';
import type { RepositorySettings } from '../../domain/repositories/settings.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Position } from '../../event-store/event-store.js';
import type { CommitFacts } from '../../git/port/objects.js';
import type { Claims } from '../claims.js';
import type { CommandContext } from '../context.js';
import type { Ids } from '../ids.js';
import type { Reservation } from '../quota/reservation.js';
import type { RefServices } from './update-refs.js';

/** The services for creating repositories; the log is read to find what an earlier attempt of a command created. */
export interface RepositoryServices extends RefServices {
  readonly claims: Claims;
  readonly ids: Ids;
  readonly log: EventLog;
}

/** A repository to create. */
export interface NewRepository {
  readonly ownerId: number;
  readonly creatorId: number;
  readonly name: string;
  readonly isPrivate: boolean;
  /** `default` if absent. */
  readonly trustModel?: string;
  readonly settings: RepositorySettings;
  /** The repository that this is a fork of. An owner has at most one fork of each. */
  readonly baseId?: number;
  readonly templateId?: number;
  /** The address that it was migrated from, without credentials. */
  readonly originalUrl?: string;
  readonly mirror?: Mirror;
  /** The labels that the repository begins with. */
  readonly labels?: readonly AskedLabel[];
  readonly extras?: Extras;
  /** An account that is a collaborator from the start. */
  readonly collaborator?: { readonly accountId: number; readonly permission: CollaboratorPermission };
}

/** What was put into a repository before its creation is recorded. */
export interface Filled {
  readonly refs: ReadonlyMap<string, Hash>;
  /** The only commit, if all branches consist of one that was just made. */
  readonly first?: CommitFacts;
  /** Replaces the default branch of the settings. */
  readonly defaultBranch?: string;
  /** Room that was reserved for the content already; it is renewed for the measured size of the repository. */
  readonly reservation?: Reservation;
}

/**
 * Makes the bare repository of this id on disk, with objects and refs. Called once the name is claimed and the owner
 * has room. If it rejects, it must leave no reservation behind; the caller removes the folder.
 */
export type Fill = (repositoryId: number, context: CommandContext) => Promise<Filled>;

/** A repository that exists now, created by this request or by an earlier attempt of the same command. */
export interface CreatedRepository {
  readonly repositoryId: number;
  /** The position that read models must have reached to show it. */
  readonly position: Position;
}
