import { conflict, type DomainError } from '../../domain/errors.js';
import { NAME_LOST } from '../../domain/repositories/lifecycle.js';
import { repositoryNameKey } from '../../domain/repositories/names.js';
import { StorageLedger } from '../../domain/quota/storage-ledger.js';
import { isOverdue, reservationsOf } from '../../domain/quota/storage-ledger-state.js';
import { Repository, type RepositoryCommand } from '../../domain/repositories/repository.js';
import { ForkOfRepository, RepositoryName } from '../../domain/reservations/reservation.js';
import type { Claimant } from '../claiming.js';
import { claimables, type Claimable } from '../claimable.js';
import type { ClaimTaken } from '../claims.js';

const repositoryClaim = claimables(Repository, ({ holds, at }): RepositoryCommand => ({
  type: 'AbandonClaim',
  data: { holds, at },
}));

/** A repository to be that keeps room in its owner's ledger is being filled, which may take minutes. */
const whileFilled = (ownerId: number): Pick<Claimable, 'isAtWork'> => ({
  async isAtWork(commands, repositoryId, now) {
    const [repository, ledger] = await Promise.all([
      commands.load(Repository, repositoryId),
      commands.load(StorageLedger, ownerId),
    ]);
    const reservations = reservationsOf(ledger.state, String(repositoryId));
    return (
      repository.state.status === 'absent' && reservations.some((reservation) => !isOverdue(reservation, now))
    );
  },
});

/** The refusal of a name that another repository of the owner has. */
export const nameTaken = () =>
  conflict('repository.name_taken', 'The repository with the same name already exists.');

/** The refusal of a second fork of one repository for one owner, in the words that clients find that fork by. */
export const alreadyForked = (where = '') =>
  conflict('fork.exists', `repository is already forked by user${where}`);

/** What is told of what somebody else has. */
export const takenByAnother = ({ category }: ClaimTaken): DomainError =>
  category === ForkOfRepository.category ? alreadyForked() : nameTaken();

/** A repository that claims another name, or its own among those of another owner. */
export const repositoryClaimant = (id: number): Claimant => ({
  category: Repository.category,
  id,
  lost: NAME_LOST,
  refusal: nameTaken,
});

/** The name of a repository among those of its owner, as it is claimed. */
export const repositoryNameClaim = (ownerId: number, name: string): Claimable => ({
  ...repositoryClaim(
    RepositoryName,
    `${ownerId}/${repositoryNameKey(name)}`,
    (repository) =>
      repository.ownerId === ownerId && repositoryNameKey(repository.name) === repositoryNameKey(name),
  ),
  ...whileFilled(ownerId),
});

/** That an owner has a fork of a repository, as it is claimed: one is enough. */
export const forkClaim = (baseId: number, ownerId: number): Claimable => ({
  ...repositoryClaim(
    ForkOfRepository,
    `${baseId}-${ownerId}`,
    (repository) => repository.ownerId === ownerId && repository.baseId === baseId,
  ),
  ...whileFilled(ownerId),
});
