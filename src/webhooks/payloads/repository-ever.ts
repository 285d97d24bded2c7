import { settingColumns } from '../../../projections/repositories/setting-columns.js';
import { findCreation } from '../../commands/repositories/find-creation.js';
import { Repository } from '../../domain/repositories/repository.js';
import { repositoryNameKey } from '../../domain/repositories/names.js';
import { viewerOf } from '../../http/repositories/place.js';
import { findAccountById } from '../../queries/accounts/accounts.js';
import { findRepositoryById, type RepositoryRow } from '../../queries/repositories/repositories.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'log' | 'commands'>;

/**
 * The repository as everybody sees it or, where it was deleted, as it was in the end, of which the log alone still
 * knows. Undefined where it never was, or its owner is gone.
 */
export const findRepositoryEver = async (
  services: Services,
  id: number,
): Promise<RepositoryRow | undefined> =>
  (await findRepositoryById(services.db, id, viewerOf(undefined))) ?? (await fromLog(services, id));

async function fromLog({ db, log, commands }: Services, id: number): Promise<RepositoryRow | undefined> {
  const { state } = await commands.load(Repository, id);
  const creation = (await findCreation(log, id))?.data;
  const owner = creation && (await findAccountById(db, state.ownerId));
  if (!owner) return undefined;
  return {
    id,
    owner_id: state.ownerId,
    owner,
    name: state.name,
    lower_name: repositoryNameKey(state.name),
    ...settingColumns(state.settings),
    is_private: state.isPrivate,
    is_empty: false,
    archived_at: null,
    mirror: state.mirror,
    mirrored_at: null,
    base_id: state.baseId ?? null,
    original_url: creation.originalUrl ?? '',
    size_bytes: 0,
    language: '',
    languages: null,
    languages_of: null,
    object_format: creation.objectFormat,
    trust_model: creation.trustModel,
    topics: [],
    stars: 0,
    forks: 0,
    open_issues: 0,
    open_pulls: 0,
    releases: 0,
    created_at: new Date(creation.createdAt),
    updated_at: new Date(creation.createdAt),
    transfer: null,
    viewer_rank: 0,
    viewer_own_rank: 0,
    viewer_code_rank: 0,
    viewer_team_units: [],
  };
}
