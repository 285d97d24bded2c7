import { settingColumns } from '../../../projections/repositories/setting-columns.js';
import { findCreation } from '../../commands/repositories/find-creation.js';
import { streamOf } from '../../domain/decider.js';
import { hasBranch } from '../../domain/repositories/refs.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import { repositoryNameKey } from '../../domain/repositories/names.js';
import { viewerOf } from '../../http/repositories/place.js';
import { findAccountEver } from '../../queries/accounts/accounts.js';
import { findRepositoryById, type RepositoryRow } from '../../queries/repositories/repositories.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'log' | 'commands'>;

/**
 * Finds a repository in the read model or, if it was deleted, rebuilds its last state from the log; its owner may be deleted
 * as well. Undefined if it never existed, or if its owner was erased.
 */
export const findRepositoryEver = async (
  services: Services,
  id: number,
): Promise<RepositoryRow | undefined> =>
  (await findRepositoryById(services.db, id, viewerOf(undefined))) ?? (await fromLog(services, id));

async function fromLog({ db, log, commands }: Services, id: number): Promise<RepositoryRow | undefined> {
  const { state } = await commands.load(Repository, id);
  const creation = (await findCreation(log, id))?.data;
  if (!creation) return undefined;
  const owner = await findAccountEver(db, state.ownerId);
  if (!owner?.name) return undefined;
  const { archivedAt, lastAt } = await lastMoments(log, id, state);
  return {
    id,
    owner_id: state.ownerId,
    owner,
    name: state.name,
    lower_name: repositoryNameKey(state.name),
    ...settingColumns(state.settings),
    is_private: state.isPrivate,
    is_empty: !hasBranch(state.refs.keys()),
    archived_at: archivedAt,
    mirror: state.mirror,
    mirrored_at: state.mirror && new Date(state.triedAt ?? creation.createdAt),
    base_id: state.baseId ?? null,
    original_url: creation.originalUrl ?? '',
    size_bytes: 0,
    language: '',
    languages: null,
    languages_of: null,
    object_format: creation.objectFormat,
    trust_model: creation.trustModel,
    topics: state.topics,
    stars: 0,
    forks: 0,
    open_issues: 0,
    open_pulls: 0,
    releases: 0,
    created_at: new Date(creation.createdAt),
    updated_at: lastAt,
    transfer: null,
    viewer_rank: 0,
    viewer_own_rank: 0,
    viewer_code_rank: 0,
    viewer_team_units: [],
  };
}

/** How many of the newest events are searched for the time of archiving; little happens to an archived repository. */
const NEWEST = 50;

/** Returns when the repository was archived, null if it is not, and when its last event was recorded. */
async function lastMoments(log: Services['log'], id: number, { isArchived }: RepositoryState) {
  const stream = streamOf(Repository, id);
  const events = await log.readStream(stream, { direction: 'backwards', max: NEWEST });
  const lastAt = events[0]?.recordedAt ?? new Date(0);
  const archiving = events.find(({ type }) => type === 'RepositoryArchived');
  return { lastAt, archivedAt: isArchived ? (archiving?.recordedAt ?? lastAt) : null };
}
