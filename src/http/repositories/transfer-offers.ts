import type { Queryable } from '../../database/queryable.js';
import { notFound } from '../../domain/errors.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { Repository } from '../../domain/repositories/repository.js';
import { findStanding } from '../../queries/organizations/organizations.js';
import { findRepository, type RepositoryRow } from '../../queries/repositories/repositories.js';
import { findPendingTransfer, type PendingTransfer } from '../../queries/repositories/transfers.js';
import { signedIn, type Access } from '../access.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { couldBeAName } from '../find.js';
import { isNarrow } from '../public-only.js';
import { Refused } from '../refused.js';
import { viewerOf, wholeRepositoryAt, type RepositoryPath } from './place.js';

/** The recipient of a transfer. */
type Offer = Pick<PendingTransfer, 'recipient_id' | 'team_ids'>;

/** A repository with its pending transfer, as a caller sees it. */
export interface TransferMet {
  readonly repository: RepositoryRow;
  readonly rank: number;
  readonly transfer: Offer | undefined;
  readonly isRecipient: boolean;
}

/** Tells whether the caller may accept repositories for an account. */
export async function mayReceive(
  db: Queryable,
  accountId: number,
  { accountId: callerId }: Principal,
): Promise<boolean> {
  if (accountId === callerId) return true;
  const { rank, can_create_repositories } = await findStanding(db, accountId, callerId);
  return rank === rankOf('owner') || can_create_repositories;
}

type TransferPath = RepositoryPath & Pick<Actions, 'context' | 'services'>;

/** As `wholeRepositoryAt`, but also finds repositories offered to the caller who may not see them otherwise. */
export async function transferAt(place: TransferPath): Promise<TransferMet> {
  const offered = await offeredTo(place);
  if (offered) return offered;
  const { repository, rank } = await wholeRepositoryAt(place);
  return { repository, rank, transfer: await transferOf(place, repository.id), isRecipient: false };
}

async function offeredTo(place: TransferPath): Promise<TransferMet | undefined> {
  const { db, caller } = place;
  const { owner, repo } = place.params;
  if (!caller || isNarrow(caller) || !couldBeAName(owner) || !couldBeAName(repo)) return undefined;
  const repository = await findRepository(db, owner, repo, viewerOf(caller));
  const transfer = repository && (await transferOf(place, repository.id));
  if (!transfer || !(await mayReceive(db, transfer.recipient_id, caller))) return undefined;
  return { repository, rank: repository.viewer_rank, transfer, isRecipient: true };
}

/** Returns the pending transfer, or the one that an earlier attempt of this request has ended. */
async function transferOf(
  { db, services, context }: TransferPath,
  repositoryId: number,
): Promise<Offer | undefined> {
  const earlier = await services.commands.repeated(Repository, repositoryId, context);
  for (const { type, data } of earlier?.events ?? []) {
    if (type === 'RepositoryTransferred') return { recipient_id: data.ownerId, team_ids: data.teamIds };
    if (type === 'RepositoryTransferRejected') return { recipient_id: data.recipientId, team_ids: [] };
  }
  return findPendingTransfer(db, repositoryId);
}

/** Makes the 404 for a repository without a pending transfer. */
export const noTransfer = () => notFound('transfer.absent', 'the repository is not being transferred');

const answersTransfer = (
  name: string,
  mayAnswer: (met: TransferMet) => boolean,
): Access<Principal, TransferMet> => ({
  name,
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    if (!place.parent.transfer) throw noTransfer();
    if (!mayAnswer(place.parent)) throw new Refused(403, 'the recipient of the transfer only');
    return principal;
  },
});

export const recipient = answersTransfer('the recipient of the transfer', ({ isRecipient }) => isRecipient);

/** Also admits owners, because they may withdraw their offer. */
export const recipientOrOwner = answersTransfer(
  'the recipient of the transfer or an owner of the repository',
  ({ isRecipient, rank }) => isRecipient || rank >= rankOf('owner'),
);
