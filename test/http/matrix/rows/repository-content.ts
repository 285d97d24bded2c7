import { ELSEWHERE } from '../furnish.js';
import { anybodyHere, answersOf, repositoryWriters, type Outcome } from '../policy.js';
import type { Row, Rows } from '../row.js';
import type { World } from '../world.js';
import { repository } from './repositories.js';

const CODE = '/repos/acme/code';
const NO_OBJECT = 'f'.repeat(40);

/** Read by whoever sees the repository. */
const reading = (names: Readonly<Record<string, string>> = {}, row: Omit<Row, 'policy'> = {}): Row =>
  repository({ policy: anybodyHere, names: () => names, ...row });

/** Written by whoever may write its code. */
const writing = (row: Omit<Row, 'policy'>): Row => repository({ policy: repositoryWriters, ...row });

/** What is named otherwise is not simply missing. */
const otherwise = (outcome: Outcome) =>
  answersOf((person) => (person === 'restricted stranger' ? 404 : outcome));

/** Found by the hash of an object, and refused where there is none. */
const ofObject = (fresh: Row['fresh'], sha = NO_OBJECT): Row =>
  reading({ sha }, { ...(fresh && { fresh }), absent: { sha: otherwise(400) } });

async function freshBranch({ make, unique }: World) {
  const branch = unique();
  await make('POST', `${CODE}/branches`, { new_branch_name: branch });
  return { branch };
}

async function freshTag({ make, unique }: World) {
  const tag = unique();
  await make('POST', `${CODE}/tags`, { tag_name: tag });
  return { tag };
}

async function annotatedTag({ make }: World) {
  return { sha: (await make<{ id: string }>('GET', `${CODE}/tags/v1`)).id };
}

async function freshFile({ make, unique }: World) {
  const filepath = unique();
  const { content } = await make<{ content: { sha: string } }>('POST', `${CODE}/contents/${filepath}`, {});
  return { filepath, sha: content.sha };
}

async function readme({ make }: World) {
  const { sha } = await make<{ sha: string }>('GET', `${CODE}/contents/README.md`);
  return { sha };
}

/** What another repository has. */
const named = () => ELSEWHERE;
const fileElsewhere: Omit<Row, 'policy'> = { elsewhere: { filepath: named } };

const README = { filepath: 'README.md' };
const noFile = () => ({ ...README, sha: NO_OBJECT });

export const repositoryContentRows: Rows = {
  repoListBranches: reading(),
  repoGetBranch: reading({ branch: 'main' }, { elsewhere: { branch: named } }),
  repoCreateBranch: writing({ body: (new_branch_name) => ({ new_branch_name }) }),
  repoUpdateBranch: writing({
    names: () => ({ branch: 'main' }),
    elsewhere: { branch: named },
    fresh: freshBranch,
    body: (name) => ({ name }),
  }),
  repoDeleteBranch: writing({
    names: () => ({ branch: 'main' }),
    elsewhere: { branch: named },
    fresh: freshBranch,
  }),

  repoListTags: reading(),
  repoGetTag: reading({ tag: 'v1' }, { elsewhere: { tag: named } }),
  repoCreateTag: writing({ body: (tag_name) => ({ tag_name }) }),
  repoDeleteTag: writing({
    names: () => ({ tag: 'v1' }),
    elsewhere: { tag: named },
    fresh: freshTag,
  }),

  repoGetAllCommits: reading(),
  repoGetSingleCommit: reading({ sha: 'main' }),
  repoListAllGitRefs: reading(),
  repoListGitRefs: reading({ ref: 'heads/main' }),
  GetAnnotatedTag: ofObject(annotatedTag),
  GetTree: ofObject(undefined, 'main'),
  GetBlob: ofObject(readme),

  repoGetArchive: reading({ filepath: 'main.zip' }, { absent: { filepath: otherwise(400) } }),
  repoGetEditorConfig: reading(
    { filepath: 'src/index.ts' },
    { query: '?ref=configured', absent: { filepath: otherwise('success') } },
  ),
  repoGetContentsList: reading(),
  repoGetContents: reading(README, fileElsewhere),
  repoGetRawFile: reading(README, fileElsewhere),
  repoGetRawFileOrLFS: reading(README, fileElsewhere),
  repoGetLanguages: reading(),

  repoCreateFile: writing({
    names: ({ unique }) => ({ filepath: unique() }),
    body: () => ({ content: '' }),
    absent: { filepath: { anonymous: 401, stranger: 403 } },
  }),
  repoUpdateFile: writing({
    names: noFile,
    fresh: freshFile,
    body: (_, { sha }) => ({ content: '', sha }),
  }),
  repoDeleteFile: writing({ names: noFile, fresh: freshFile, body: (_, { sha }) => ({ sha }) }),
  repoChangeFiles: writing({
    body: (path) => ({ files: [{ operation: 'create', path, content: '' }] }),
  }),
};
