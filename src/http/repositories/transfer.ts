import { z } from 'zod';
import { holderOf } from '../../commands/claimable.js';
import { takeOffIssuesIn } from '../../commands/issues/take-off.js';
import { checkStays } from '../../commands/organizations/check-stays.js';
import { attemptedId } from '../../commands/repeated.js';
import { NAME_TAKEN, nameTaken, repositoryNameClaim } from '../../commands/repositories/repository-claims.js';
import { transferRepository, type TransferAsked } from '../../commands/repositories/transfer-repository.js';
import { unlessGone } from '../../commands/unless-refused.js';
import type { Queryable } from '../../database/queryable.js';
import { hasCode, invalid } from '../../domain/errors.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { QuotaExceeded } from '../../domain/quota/quota-exceeded.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import { Repository as RepositoryAggregate } from '../../domain/repositories/repository.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import { findTeam } from '../../queries/organizations/teams.js';
import { findRepositoryById } from '../../queries/repositories/repositories.js';
import { accountAbsent } from '../accounts/absent.js';
import { isKnown } from '../accounts/visibility.js';
import type { Actions } from '../actions.js';
import { reply } from '../answers/answer.js';
import type { Principal } from '../caller.js';
import { accountNamed } from '../find.js';
import { refuseNarrowToken } from '../public-only.js';
import { route } from '../route.js';
import { optional, problem, requiredText } from '../schema.js';
import { repositoryOwner } from './access.js';
import { forksOf } from './forks-of.js';
import {
  isSeenBy,
  repositoryAbsent,
  repositoryAt,
  unitsOf,
  viewerOf,
  type RepositoryMet,
  type RepositoryPath,
} from './place.js';
import { presentRepository } from './presenter.js';
import { Repository } from './schema.js';
import { mayReceive, noTransfer, recipient, recipientOrOwner, transferAt } from './transfer-offers.js';

/** TransferRepoOption. The teams are those of the organization that receives the repository. */
const TransferBody = z
  .object({
    new_owner: requiredText,
    team_ids: optional(z.array(z.int()).max(100)),
  })
  .meta({ id: 'TransferRepoOption' });

type Request = Pick<Actions, 'context' | 'db' | 'services' | 'shown' | 'wrote'> & {
  readonly caller: Principal;
};

/** Presents the repository to the caller, who may see less of it than before. */
async function present({ db, caller, services, shown }: Request, repositoryId: number) {
  await shown();
  const row = await findRepositoryById(db, repositoryId, viewerOf(caller));
  if (!row) throw repositoryAbsent();
  return presentRepository(row, caller, services);
}

/** Finds the recipient. Throws 404 if there is none, or if the caller may not know of it. */
async function recipientNamed(db: Queryable, caller: Principal, name: string): Promise<AccountRow> {
  const account = await accountNamed(db, name);
  if (account && ((await isKnown(db, account, caller)) || (await mayReceive(db, account.id, caller))))
    return account;
  throw accountAbsent();
}

async function checkTeams(
  db: Queryable,
  { id, kind }: AccountRow,
  teamIds: readonly number[],
): Promise<void> {
  if (teamIds.length > 0 && kind !== 'organization')
    throw invalid('transfer.teams', 'TeamIds', 'only organizations have teams');
  for (const teamId of teamIds)
    if ((await findTeam(db, teamId, null))?.organization.id !== id)
      throw invalid('transfer.team_absent', 'TeamIds', `the new owner has no team ${teamId}`);
}

/** Tells, from the log, whether an account has a repository of that name, and the caller sees it. */
async function isTaken(
  { db, caller, services: { commands } }: Pick<Asking, 'db' | 'caller' | 'services'>,
  ownerId: number,
  name: string,
): Promise<boolean> {
  const holder = await holderOf(commands, repositoryNameClaim(ownerId, name));
  const row = holder === undefined ? undefined : await findRepositoryById(db, holder, viewerOf(caller));
  return row !== undefined && isSeenBy(row, caller);
}

/** Makes a 422 for a new owner who has a repository of that name already. */
const nameTakenThere = () => invalid(NAME_TAKEN, 'NewOwner', nameTaken().message);

/** Moves the repository, and unassigns users from its issues who may not be assigned any more. */
async function move(
  { db, services, context, wrote, shown }: Request,
  transfer: TransferAsked,
): Promise<void> {
  try {
    const moving = { ...services, forksOf: forksOf({ db, wrote }) };
    await wrote(await transferRepository(moving, transfer, context));
    await shown(); // members of the teams that just got the repository may be assigned
    await wrote(await takeOffIssuesIn(services, transfer.repositoryId, context));
  } catch (error) {
    throw hasCode(error, NAME_TAKEN) ? nameTakenThere() : error;
  }
}

/** As `repositoryAt`, but also finds what an earlier attempt of the request gave away, whose owner the caller was then. */
async function ownedAt(path: RepositoryPath & Pick<Actions, 'context' | 'wasDone'>): Promise<RepositoryMet> {
  const id = path.wasDone ? attemptedId(RepositoryAggregate, path.context) : undefined;
  if (id === undefined) return repositoryAt(path);
  const repository = await findRepositoryById(path.db, Number(id), viewerOf(path.caller));
  if (!repository) throw repositoryAbsent();
  return { repository, rank: rankOf('owner'), units: unitsOf(repository) };
}

type Asking = Actions & {
  readonly caller: Principal;
  readonly parent: RepositoryMet;
  readonly body: z.output<typeof TransferBody>;
};

/** A transfer, and whether it is only offered to the recipient, because the caller may not accept it. */
interface Asked {
  readonly isOffer: boolean;
  readonly transfer: TransferAsked;
}

/** Returns what an earlier attempt of the request did, which may not be allowed any more; undefined if it did nothing. */
async function askedBefore({ parent, services, context }: Asking): Promise<Asked | undefined> {
  const { id: repositoryId, owner_id } = parent.repository;
  const earlier = await services.commands.repeated(RepositoryAggregate, repositoryId, context);
  for (const { type, data } of earlier?.events ?? []) {
    if (type === 'RepositoryTransferRequested') {
      const { recipientId, teamIds } = data;
      return { isOffer: true, transfer: { repositoryId, ownerId: owner_id, recipientId, teamIds } };
    }
    if (type === 'RepositoryTransferred') {
      const { previousOwnerId, ownerId, teamIds } = data;
      const transfer = { repositoryId, ownerId: previousOwnerId, recipientId: ownerId, teamIds };
      return { isOffer: false, transfer };
    }
  }
  return undefined;
}

/**
 * Returns what the request asks for. Refuses what is not allowed, and an offer that could not be accepted now. A name that
 * is taken by what the caller does not see is only told to the recipient, on acceptance.
 */
async function askedNow(request: Asking): Promise<Asked> {
  const { parent, body, caller, context, db, services } = request;
  const { repository } = parent;
  const account = await recipientNamed(db, caller, body.new_owner);
  refuseNarrowToken(account, caller);
  const teamIds = [...new Set(body.team_ids ?? [])];
  await checkTeams(db, account, teamIds);
  const { owner_id: ownerId } = repository;
  const transfer = { repositoryId: repository.id, ownerId, recipientId: account.id, teamIds };
  if (caller.isAdmin || (await mayReceive(db, account.id, caller))) return { isOffer: false, transfer };
  if (account.id !== ownerId && (await isTaken(request, account.id, repository.name))) throw nameTakenThere();
  const subject = subjectOf({ isPrivate: repository.is_private });
  const bytes = await services.git.sizeOf(repository.id);
  await services.storage.checkRoom(account.id, subject, context, bytes).catch((error: unknown) => {
    throw error instanceof QuotaExceeded ? error.untold() : error;
  });
  return { isOffer: true, transfer };
}

async function offer(
  { caller, context, handle, now, services }: Asking,
  { repositoryId, ownerId, recipientId, teamIds }: TransferAsked,
): Promise<void> {
  const data = { ownerId, requesterId: caller.accountId, recipientId, teamIds, at: now() };
  await handle(RepositoryAggregate, repositoryId, { type: 'RequestTransfer', data });
  await checkStays(services.commands, recipientId, context).catch(async (error: unknown) => {
    // The recipient's deletion may have looked for offers before this one was made.
    await unlessGone(handle(RepositoryAggregate, repositoryId, { type: 'RejectTransfer', data }));
    throw error;
  });
}

const refusals = { 401: problem, 403: problem, 404: problem };
/** 423: somebody has been writing to the repository for a minute. */
const refusalsOfMoving = { 409: problem, 413: problem, 422: problem, 423: problem };

export const transferRoutes = [
  /** Moves it at once (202) if the caller may act for both sides; otherwise offers it to the new owner (201). */
  route({
    id: 'repoTransfer',
    method: 'POST',
    path: '/repos/{owner}/{repo}/transfer',
    access: repositoryOwner,
    scope: 'repository',
    parent: ownedAt,
    body: TransferBody,
    answers: { 201: Repository, 202: Repository, ...refusals, ...refusalsOfMoving },
    async handle(request) {
      const { isOffer, transfer } = (await askedBefore(request)) ?? (await askedNow(request));
      await (isOffer ? offer : move)(request, transfer);
      return reply(isOffer ? 201 : 202, await present(request, transfer.repositoryId));
    },
  }),

  route({
    id: 'acceptRepoTransfer',
    method: 'POST',
    path: '/repos/{owner}/{repo}/transfer/accept',
    access: recipient,
    scope: 'repository',
    parent: transferAt,
    answers: { 202: Repository, ...refusals, ...refusalsOfMoving },
    async handle(request) {
      const { repository, transfer } = request.parent;
      if (!transfer) throw noTransfer();
      const { recipient_id: recipientId, team_ids: teamIds } = transfer;
      const { id: repositoryId, owner_id: ownerId } = repository;
      await move(request, { repositoryId, ownerId, recipientId, teamIds, isAcceptance: true });
      return present(request, repository.id);
    },
  }),

  route({
    id: 'rejectRepoTransfer',
    method: 'POST',
    path: '/repos/{owner}/{repo}/transfer/reject',
    access: recipientOrOwner,
    scope: 'repository',
    parent: transferAt,
    answers: { 200: Repository, ...refusals },
    async handle(request) {
      const { parent, handle, now } = request;
      const { repository, transfer } = parent;
      if (!transfer) throw noTransfer();
      const data = { recipientId: transfer.recipient_id, at: now() };
      await handle(RepositoryAggregate, repository.id, { type: 'RejectTransfer', data });
      return present(request, repository.id);
    },
  }),
];
