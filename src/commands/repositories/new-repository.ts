import type { AskedLabel } from '../../domain/labels/label.js';
import type { Takings } from '../../domain/repositories/lifecycle.js';
import type { CollaboratorPermission, Hash, Mirror } from '../../domain/repositories/repository-messages.js';
import type { RepositorySettings } from '../../domain/repositories/settings.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Position } from '../../event-store/event-store.js';
import type { CommitFacts } from '../../git/port/objects.js';
import type { Claims } from '../claims.js';
import type { CommandContext } from '../context.js';
import type { Ids } from '../ids.js';
import type { Reservation } from '../quota/storage.js';
import type { RefServices } from './update-refs.js';

/** What creating a repository takes: as for moving refs, and claims, ids, and the log, to find what was done before. */
export interface RepositoryServices extends RefServices {
  readonly claims: Claims;
  readonly ids: Ids;
  readonly log: EventLog;
}

/** A repository to be. */
export interface NewRepository {
  readonly ownerId: number;
  readonly creatorId: number;
  readonly name: string;
  readonly isPrivate: boolean;
  /** `default` where it is left out. */
  readonly trustModel?: string;
  readonly settings: RepositorySettings;
  /** What it is a fork of: an owner has one of each. */
  readonly baseId?: number;
  readonly templateId?: number;
  /** Without credentials. */
  readonly originalUrl?: string;
  readonly mirror?: Mirror;
  /** Labels to begin with. */
  readonly labels?: readonly AskedLabel[];
  readonly takings?: Takings;
  /** Somebody who is let in from the start. */
  readonly collaborator?: { readonly accountId: number; readonly permission: CollaboratorPermission };
}

/** What was put into a repository to be. */
export interface Filled {
  readonly refs: ReadonlyMap<string, Hash>;
  /** The one commit that all of it is, where that was made just now. */
  readonly first?: CommitFacts;
  /** In place of that of the settings. */
  readonly defaultBranch?: string;
  /** Room that was kept for it already; it is decided anew on what the whole measures. */
  readonly reservation?: Reservation;
}

/**
 * Makes the bare repository of that id on disk, with objects and refs. Runs when the name is claimed and the owner has
 * room. Where it rejects, it leaves no reservation behind; the folder is removed for it.
 */
export type Fill = (repositoryId: number, context: CommandContext) => Promise<Filled>;

/** A repository that exists by now, made just now or by the same command before. */
export interface CreatedRepository {
  readonly repositoryId: number;
  /** What a read has to show to show it. */
  readonly position: Position;
}
