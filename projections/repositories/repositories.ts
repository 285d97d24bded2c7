import type { IssueEvent } from '../../src/domain/issues/issue.js';
import { issueOf } from '../../src/domain/issues/place.js';
import type { StorageLedgerEvent } from '../../src/domain/quota/storage-ledger.js';
import { BRANCHES, shortName, TAGS } from '../../src/domain/repositories/refs.js';
import { primaryLanguage, type RepositoryLanguagesEvent } from '../../src/domain/repositories/languages.js';
import { repositoryNameKey } from '../../src/domain/repositories/names.js';
import type { RefUpdate, RepositoryEvent } from '../../src/domain/repositories/repository-messages.js';
import type { RepositorySettings } from '../../src/domain/repositories/settings.js';
import type { ClaimEvent } from '../../src/domain/claims/claim.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { projection, type Columns, type Table } from '../projection.js';
import { storableTime } from '../storable-time.js';
import { settingColumns } from './setting-columns.js';

/**
 * `repositories`: those that exist; `refs`: their refs, and those of repositories still being filled; `branch_counts`: the
 * number of branches among these refs; `repository_redirects`: former names that no other repository has taken since;
 * `repository_claims`: names in use, including those of repositories that are still being created.
 */
export const repositories = projection<
  RepositoryEvent | RepositoryLanguagesEvent | ClaimEvent | StorageLedgerEvent | IssueEvent
>()({
  name: 'repositories',
  version: 4,
  tables: {
    repositories: { key: ['id'] },
    repository_redirects: { key: ['repository_id', 'owner_id', 'lower_name'] },
    repository_claims: { key: ['owner_id', 'lower_name'] },
    refs: { key: ['repository_id', 'name'] },
    branch_counts: { key: ['repository_id'] },
  },
  on: {
    RepositoryCreated: (event, { repositories: rows, repository_redirects, branch_counts }) => {
      const { streamId, data } = event;
      const lower_name = repositoryNameKey(data.name);
      rows.put({
        id: Number(streamId),
        owner_id: data.ownerId,
        name: data.name,
        lower_name,
        is_private: data.isPrivate,
        is_empty: data.empty,
        mirror: data.mirror ? JSON.stringify(data.mirror) : null,
        mirrored_at: data.mirror ? data.createdAt : null,
        pulled_at: data.mirror ? data.createdAt : null,
        base_id: data.baseId ?? null,
        original_url: data.originalUrl ?? '',
        size_bytes: 0,
        language: '',
        object_format: data.objectFormat,
        trust_model: data.trustModel,
        ...written(data.settings),
        topics: [],
        topic_text: '',
        stars: 0,
        forks: 0,
        open_issues: 0,
        open_pulls: 0,
        releases: 0,
        created_at: data.createdAt,
        updated_at: data.createdAt,
      });
      repository_redirects.removeWhere({ owner_id: data.ownerId, lower_name });
      if (data.baseId !== undefined) rows.add({ id: data.baseId }, { forks: 1 });
      countBranches(branch_counts, event, 0);
    },
    RepositoryEdited: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { updated_at: data.editedAt, ...written(data.changes) }),
    RepositoryRenamed: ({ streamId, data }, { repositories: rows, repository_redirects }) => {
      const id = Number(streamId);
      rows.patch({ id }, { updated_at: data.renamedAt, ...nameColumns(data.name) });
      redirect(repository_redirects, id, data.ownerId, data.before, data.ownerId, data.name);
    },
    RepositoryTransferred: ({ streamId, data }, { repositories: rows, repository_redirects }) => {
      const id = Number(streamId);
      const { ownerId: owner_id, previousOwnerId, name, transferredAt } = data;
      rows.patch({ id }, { owner_id, ...nameColumns(name), updated_at: transferredAt });
      redirect(repository_redirects, id, previousOwnerId, name, owner_id, name);
    },
    RepositoryVisibilityChanged: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { is_private: data.isPrivate, updated_at: data.changedAt }),
    RepositoryArchived: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { archived_at: data.archivedAt, updated_at: data.archivedAt }),
    RepositoryUnarchived: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { archived_at: null, updated_at: data.unarchivedAt }),
    RepositoryDetached: ({ streamId }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { base_id: null }),
    RepositoryDeleted: ({ streamId, data }, { repositories: rows, repository_redirects, ...ofRefs }) => {
      const id = Number(streamId);
      rows.remove({ id });
      repository_redirects.removeWhere({ repository_id: id });
      removeRefs(ofRefs, id);
      if (data.baseId !== undefined) rows.add({ id: data.baseId }, { forks: -1 });
    },
    RepositoryAbandoned: ({ streamId }, ofRefs) => removeRefs(ofRefs, Number(streamId)),
    RefsUpdated: (event, { repositories: rows, refs, branch_counts }) => {
      const { streamId, data } = event;
      const repositoryId = Number(streamId);
      for (const update of data.updates) moveRef(refs, repositoryId, update);
      countBranches(branch_counts, event, branchesGained(data.updates));
      rows.patch(
        { id: repositoryId },
        {
          updated_at: data.updatedAt,
          ...(data.updates.some(isBranch) && { is_empty: false }),
          ...(data.empties && { is_empty: true }),
          ...(data.defaultBranch !== undefined && { default_branch: data.defaultBranch }),
        },
      );
    },
    MirrorChanged: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { mirror: data.mirror ? JSON.stringify(data.mirror) : null }),
    MirrorPulled: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { mirrored_at: data.pulledAt, pulled_at: data.pulledAt }),
    MirrorPullFailed: ({ streamId, data }, { repositories: rows }) =>
      rows.patch({ id: Number(streamId) }, { pulled_at: data.failedAt }),
    TopicsReplaced: ({ streamId, data }, { repositories: rows }) =>
      rows.patch(
        { id: Number(streamId) },
        { topics: data.topics, topic_text: data.topics.join('\n'), updated_at: data.replacedAt },
      ),
    LanguagesMeasured: ({ streamId, data: { commit, languages } }, { repositories: rows }) =>
      rows.patch(
        { id: Number(streamId) },
        {
          language: primaryLanguage(languages),
          languages: JSON.stringify(languages),
          languages_of: commit,
        },
      ),
    IssueOpened: ({ streamId }, { repositories: rows }) => openIssues(rows, streamId, 1),
    IssueClosed: ({ streamId }, { repositories: rows }) => openIssues(rows, streamId, -1),
    IssueReopened: ({ streamId }, { repositories: rows }) => openIssues(rows, streamId, 1),
    IssueDeleted: ({ streamId, data }, { repositories: rows }) =>
      openIssues(rows, streamId, data.wasClosed ? 0 : -1),
    UsageRecorded: ({ data }, { repositories: rows }) => measured(rows, data),
    ReservationSettled: ({ data }, { repositories: rows }) => measured(rows, data),
    ClaimMade: ({ stream, streamId, data }, { repository_claims }) => {
      const key = claimed(stream, streamId);
      if (key) repository_claims.put({ repository_id: data.claimantId, ...key });
    },
    ClaimReleased: ({ stream, streamId }, { repository_claims }) => {
      const key = claimed(stream, streamId);
      if (key) repository_claims.remove(key);
    },
  },
});

const nameColumns = (name: string): Columns => ({ name, lower_name: repositoryNameKey(name) });

/** Redirects the old owner and name to the repository, and removes redirects from the new ones to other repositories. */
function redirect(
  rows: Table,
  repository_id: number,
  ownerBefore: number,
  nameBefore: string,
  owner_id: number,
  name: string,
): void {
  rows.put({ repository_id, owner_id: ownerBefore, lower_name: repositoryNameKey(nameBefore) });
  rows.removeWhere({ owner_id, lower_name: repositoryNameKey(name) });
}

const isBranch = ({ ref, after }: RefUpdate) => after !== null && ref.startsWith(BRANCHES);

function moveRef(
  rows: Table,
  repository_id: number,
  { ref: name, after, committedAt, commit }: RefUpdate,
): void {
  if (after === null) rows.remove({ repository_id, name });
  else {
    const kind = name.startsWith(BRANCHES) ? 'branch' : name.startsWith(TAGS) ? 'tag' : 'other';
    rows.put({
      repository_id,
      name,
      kind,
      short_name: shortName(name),
      hash: after,
      commit_hash: kind === 'branch' ? after : (commit ?? null),
      committed_at: storableTime(committedAt),
    });
  }
}

function removeRefs({ refs, branch_counts }: Record<'refs' | 'branch_counts', Table>, id: number): void {
  refs.removeWhere({ repository_id: id });
  branch_counts.remove({ repository_id: id });
}

/** Returns by how many the number of branches changes with these updates; negative if more are deleted than created. */
function branchesGained(updates: readonly RefUpdate[]): number {
  const there = (hash: RefUpdate['before']) => (hash === null ? 0 : 1);
  return updates
    .filter(({ ref }) => ref.startsWith(BRANCHES))
    .reduce((gained, { before, after }) => gained + there(after) - there(before), 0);
}

/** Counts branches. The row is made at the stream's first event, because refs may be updated before `RepositoryCreated`. */
function countBranches(
  rows: Table,
  { streamId, revision }: Pick<DomainEvent, 'streamId' | 'revision'>,
  gained: number,
): void {
  const key = { repository_id: Number(streamId) };
  if (revision === 0) rows.put({ ...key, branches: gained });
  else if (gained !== 0) rows.add(key, { branches: gained });
}

const openIssues = (rows: Table, streamId: string, change: number): void => {
  rows.add({ id: issueOf(streamId).repository_id }, { open_issues: change });
};

/** Sets the size of a repository; ignores usage of other subjects, such as attachments and packages. */
function measured(
  rows: Table,
  { objectId, subject, bytes }: { objectId: string; subject: string; bytes: string },
): void {
  if (subject.startsWith('size:repos:')) rows.patch({ id: Number(objectId) }, { size_bytes: BigInt(bytes) });
}

/** Parses owner and name key from a stream of claims; undefined if it claims something other than a repository's name. */
function claimed(stream: string, streamId: string): Columns | undefined {
  if (!stream.startsWith('repositoryName-')) return undefined;
  const slash = streamId.indexOf('/');
  return { owner_id: Number(streamId.slice(0, slash)), lower_name: streamId.slice(slash + 1) };
}

/** Returns the columns of the given settings, with objects as JSON text. */
const written = (settings: Partial<RepositorySettings>): Columns =>
  Object.fromEntries(
    Object.entries(settingColumns(settings)).map(([column, value]) => [
      column,
      typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  );
