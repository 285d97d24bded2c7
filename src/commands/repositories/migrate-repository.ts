import { DomainError, invalid } from '../../domain/errors.js';
import type { Mirror } from '../../domain/repositories/repository-messages.js';
import { defaultSettings } from '../../domain/repositories/settings.js';
import type { Remotes } from '../../mirrors/remotes.js';
import type { Remote } from '../../outgoing/clone-address.js';
import { RemoteFailure } from '../../outgoing/remote-failure.js';
import type { Vault } from '../../vault/vault.js';
import type { CommandContext } from '../context.js';
import { createRepository } from './create-repository.js';
import { withGrowingRoom } from './growing-reservation.js';
import type { CreatedRepository, Fill, RepositoryServices } from './new-repository.js';
import { subjectOf } from './roll-forward.js';

/** What migrating takes: the other server, and the vault for the credentials that a mirror goes on using. */
export interface MigrationServices extends RepositoryServices {
  readonly remotes: Pick<Remotes, 'clone'>;
  readonly vault: Pick<Vault, 'mirrors'>;
}

/** A repository that is to be made of what another server has; without `mirror` it is copied this once. */
export interface Migration {
  readonly ownerId: number;
  readonly creatorId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly remote: Remote;
  /** Keeps pulling from there. */
  readonly mirror?: Mirror;
}

/**
 * Makes a repository of what another server has, while the owner's quota is watched byte by byte. Resolves when all of
 * it is there; where it fails, for whatever reason, nothing stays. What the remote does wrong is refused with 422.
 */
export async function migrateRepository(
  services: MigrationServices,
  { remote, mirror, description, ...rest }: Migration,
  context: CommandContext,
): Promise<CreatedRepository> {
  const { storage, remotes, vault } = services;
  const { ownerId } = rest;
  const subject = subjectOf(rest);
  const settings = { ...defaultSettings, description };
  const repository = { ...rest, settings, originalUrl: remote.url, ...(mirror && { mirror }) };
  let credentialsOf: number | undefined;
  const fill: Fill = async (repositoryId, own) => {
    const wanted = { storage, ownerId, objectId: String(repositoryId), subject, context: own };
    const { result, reservation } = await withGrowingRoom(wanted, async (room, lost) => {
      const onReceived = (total: bigint) => room.reach(total);
      const cloned = await remotes.clone(remote, repositoryId, { ownerId, onReceived, signal: lost });
      if (mirror && remote.credentials) {
        credentialsOf = repositoryId;
        await vault.mirrors.keep(repositoryId, remote.credentials);
      }
      return cloned;
    });
    return { ...result, reservation };
  };
  try {
    return await createRepository(services, repository, fill, context);
  } catch (error) {
    // After any other error the repository may be there.
    if (credentialsOf !== undefined && error instanceof DomainError)
      await vault.mirrors.forget(credentialsOf);
    throw error instanceof RemoteFailure ? refusalOf(error) : error;
  }
}

const refusalOf = ({ reason, message }: RemoteFailure) =>
  invalid(`migration.${reason.replaceAll('-', '_')}`, 'CloneAddr', message);
