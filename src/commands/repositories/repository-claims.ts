import { conflict, type DomainError } from '../../domain/errors.js';
import { NAME_LOST } from '../../domain/repositories/lifecycle.js';
import { repositoryNameKey } from '../../domain/repositories/names.js';
import { StorageLedger } from '../../domain/quota/storage-ledger.js';
import { isOverdue, reservationsOf } from '../../domain/quota/storage-ledger-state.js';
import { Repository, type RepositoryCommand } from '../../domain/repositories/repository.js';
import { ForkOfRepository, RepositoryName } from '../../domain/claims/claim.js';
import type { Claimant } from '../claiming.js';
import { claimables, type Claimable } from '../claimable.js';
import type { ClaimTaken } from '../claims.js';

const repositoryClaim = claimables(Repository, ({ holds, at }): RepositoryCommand => ({
  type: 'AbandonClaim',
  data: { holds, at },
}));

/** Adds `isAtWork`: a repository with a live reservation in its owner's ledger is still being filled, maybe for minutes. */
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

/** The code of the refusal of a name that another repository of the owner has. */
export const NAME_TAKEN = 'repository.name_taken';
/** Makes the refusal of a name that another repository of the owner has. */
export const nameTaken = () => conflict(NAME_TAKEN, 'The repository with the same name already exists.');

/** Makes the refusal of a second fork of a repository for one owner, in the words by which clients find the first one. */
export const alreadyForked = (where = '') =>
  conflict('fork.exists', `repository is already forked by user${where}`);

/** Makes the refusal of a new repository whose name, or whose place as the owner's fork, is taken. */
export const takenByAnother = ({ category }: ClaimTaken): DomainError =>
  category === ForkOfRepository.category ? alreadyForked() : nameTaken();

/** A repository as the claimant of a new name, or of its name under a new owner. */
export const repositoryClaimant = (id: number): Claimant => ({
  category: Repository.category,
  id,
  lost: NAME_LOST,
  refusal: nameTaken,
});

/** The claim on a repository's name among those of its owner. */
export const repositoryNameClaim = (ownerId: number, name: string): Claimable => ({
  ...repositoryClaim(
    RepositoryName,
    `${ownerId}/${repositoryNameKey(name)}`,
    (repository) =>
      repository.ownerId === ownerId && repositoryNameKey(repository.name) === repositoryNameKey(name),
  ),
  ...whileFilled(ownerId),
});

/** The claim on being the owner's only fork of a repository. */
export const forkClaim = (baseId: number, ownerId: number): Claimable => ({
  ...repositoryClaim(
    ForkOfRepository,
    `${baseId}-${ownerId}`,
    (repository) => repository.ownerId === ownerId && repository.baseId === baseId,
  ),
  ...whileFilled(ownerId),
});
