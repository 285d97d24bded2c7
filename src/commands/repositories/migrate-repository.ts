import { DomainError, invalid } from '../../domain/errors.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import type { Mirror } from '../../domain/repositories/repository-messages.js';
import { defaultBranchAmong } from '../../domain/repositories/refs.js';
import { defaultSettings } from '../../domain/repositories/settings.js';
import type { Remotes } from '../../mirrors/remotes.js';
import type { Remote } from '../../outgoing/clone-address.js';
import { RemoteFailure } from '../../outgoing/remote-failure.js';
import type { Vault } from '../../vault/vault.js';
import type { CommandContext } from '../context.js';
import { createRepository } from './create-repository.js';
import { withGrowingRoom } from './growing-reservation.js';
import type { CreatedRepository, Fill, RepositoryServices } from './new-repository.js';

/** The services for migrating: the other server, and the vault for the credentials that a mirror goes on using. */
export interface MigrationServices extends RepositoryServices {
  readonly remotes: Pick<Remotes, 'clone'>;
  readonly vault: Pick<Vault, 'mirrors'>;
}

/** A repository to make from what another server has. Without `mirror` it is copied once. */
export interface Migration {
  readonly ownerId: number;
  readonly creatorId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly remote: Remote;
  /** Makes a mirror, which keeps pulling from the remote. */
  readonly mirror?: Mirror;
}

/**
 * Copies a repository from another server; the owner's quota is checked while bytes arrive. Resolves once all of it is
 * there; after a failure nothing remains. Failures of the remote are refused with 422.
 */
export async function migrateRepository(
  services: MigrationServices,
  { remote, mirror, description, ...rest }: Migration,
  context: CommandContext,
): Promise<CreatedRepository> {
  const { storage, remotes, vault } = services;
  const { ownerId } = rest;
  const accountId = context.actor?.id ?? ownerId;
  const subject = subjectOf(rest);
  const settings = { ...defaultSettings, description };
  const repository = { ...rest, settings, originalUrl: remote.url, ...(mirror && { mirror }) };
  let credentialsOf: number | undefined;
  const fill: Fill = async (repositoryId, own) => {
    const wanted = { storage, ownerId, objectId: String(repositoryId), subject, context: own };
    const { result, reservation } = await withGrowingRoom(wanted, async (room, lost) => {
      const onReceived = (total: bigint) => room.reach(total);
      const observer = { accountId, onReceived, signal: lost, requestId: context.requestId };
      const cloned = await remotes.clone(remote, repositoryId, observer);
      if (mirror && remote.credentials) {
        credentialsOf = repositoryId;
        await vault.mirrors.keep(repositoryId, remote.credentials);
      }
      return cloned;
    });
    // The remote's HEAD may name no branch: it is detached, or the branch is gone.
    const defaultBranch = defaultBranchAmong(result.refs, result.defaultBranch);
    return { ...result, reservation, ...(defaultBranch !== undefined && { defaultBranch }) };
  };
  try {
    return await createRepository(services, repository, fill, context);
  } catch (error) {
    // After any other error the repository may exist.
    if (credentialsOf !== undefined && error instanceof DomainError)
      await vault.mirrors.forget(credentialsOf);
    throw error instanceof RemoteFailure ? refusalOf(error) : error;
  }
}

const refusalOf = ({ reason, message }: RemoteFailure) =>
  invalid(`migration.${reason.replaceAll('-', '_')}`, 'CloneAddr', message);
