import { createHash } from 'node:crypto';
import { repositoryNameClaim } from '../../src/commands/repositories/repository-claims.js';
import type { Hash, RefUpdate } from '../../src/domain/repositories/repository-messages.js';
import { RepositoryName } from '../../src/domain/claims/claim.js';
import { RepositoryLabels } from '../../src/domain/issues/repository-labels.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../src/domain/repositories/settings.js';
import { BRANCHES, ISSUES, LABELS, LISTED, type Owner, type Plan } from './plan.js';
import { after, told, type Story } from './story.js';
import { textOf, wordOf } from './words.js';

interface Planned {
  readonly id: number;
  readonly name: string;
  readonly owner: Owner;
  readonly isPrivate: boolean;
  readonly collaborator?: number;
  readonly refs?: readonly RefUpdate[];
}

/** Yields every repository according to the log, with nothing on disk: reading about one must not need git. */
export function* repositoriesOf(plan: Plan): Generator<Story> {
  for (let number = 0; number < plan.size.repositories; number++) {
    const way = plan.wayOf(number);
    yield* repository({
      id: plan.repositoryId(number),
      name: wordOf(number),
      owner: plan.ownerOf(number),
      isPrivate: way !== 'public',
      ...(way === 'collaborator' && { collaborator: plan.reader.id }),
    });
  }
  const { listed, issues, branches } = plan.showcase;
  const open = { owner: plan.home, isPrivate: false };
  for (let number = 0; number < LISTED; number++)
    yield* repository({ ...open, id: listed + number, name: `listed-${number}` });
  yield* repository({ ...open, id: issues, name: ISSUES });
  yield* repository({ ...open, id: branches, name: BRANCHES, refs: branchesOf(plan) });
  const labels = LABELS.map((name, index) => ({
    labelId: plan.ids.label + index,
    label: { name, color: 'ee0701' },
  }));
  const data = { labels, at: after(0) };
  yield told(RepositoryLabels, issues, plan.reader, [{ type: 'CreateLabels', data }]);
}

function* repository({ id, name, owner, isPrivate, collaborator, refs = [] }: Planned): Generator<Story> {
  const at = after(id);
  const claim = repositoryNameClaim(owner.id, name);
  const claimed = { claimantId: id, claimId: String(id), at };
  yield told(RepositoryName, claim.key, owner, [{ type: 'Claim', data: claimed }]);
  const data = {
    ownerId: owner.id,
    creatorId: owner.id,
    name,
    isPrivate,
    objectFormat: 'sha1',
    trustModel: 'default',
    settings: { ...defaultSettings, description: textOf(id, 6) },
    refs: { pushId: String(id), updates: [...refs] },
    ...(collaborator !== undefined && {
      collaborator: { accountId: collaborator, permission: 'write' as const },
    }),
    createdAt: at,
  } as const;
  yield told(Repository, id, owner, [{ type: 'CreateRepository', data }]);
}

/** The commit at the tip of a branch, of which only the cache of commits knows more. */
export const tipOf = (branch: number): Hash => createHash('sha1').update(`branch ${branch}`).digest('hex');

const branchesOf = ({ size }: Plan): RefUpdate[] =>
  Array.from({ length: size.branches }, (_, number) => ({
    ref: `refs/heads/${number === 0 ? defaultSettings.defaultBranch : wordOf(number)}`,
    before: null,
    after: tipOf(number),
    committedAt: after(number),
  }));
