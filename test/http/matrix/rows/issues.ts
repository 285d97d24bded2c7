import { otherSpelling } from '../../../../src/http/issues/spellings.js';
import { addComment, addIssue, addMilestone, addRepositoryLabel, type Issues } from '../furnish.js';
import {
  anybody,
  anybodyHere,
  nowhere,
  organizationOwners,
  repositoryWriters,
  signedInHere,
  type Answers,
} from '../policy.js';
import type { Row, Rows } from '../row.js';
import type { World } from '../world.js';
import { repository } from './repositories.js';

/** That one must sign in is told before anything is said of an issue or a comment; its absence before rights. */
const toChange: Answers = { ...nowhere, anonymous: 401 };

const read = (row: Omit<Row, 'policy'> = {}): Row =>
  repository({ policy: anybodyHere, ...row, absent: { index: nowhere, id: nowhere, ...row.absent } });

const change = (row: Row): Row =>
  repository({ ...row, absent: { index: toChange, id: toChange, ...row.absent } });

/** For whoever writes to the repository; what was made for the call is the administrator's. */
const write = (row: Omit<Row, 'policy'> = {}): Row => change({ policy: repositoryWriters, ...row });

const freshIssue = async ({ make, unique }: World) => ({ index: await addIssue(make, unique()) });
const freshComment = async ({ make }: World) => ({ id: await addComment(make) });
const freshLabel = async ({ make, unique }: World) => ({ id: await addRepositoryLabel(make, unique()) });
const freshMilestone = async ({ make }: World) => ({ id: await addMilestone(make) });

/** Named by an id; another repository has one of these too. */
const one = (kind: keyof Issues): Pick<Row, 'names' | 'elsewhere'> => ({
  names: ({ issues }) => ({ id: issues[kind] }),
  elsewhere: { id: ({ elsewhere }) => elsewhere[kind] },
});
const comment = one('comment');
const label = one('label');
const milestone = one('milestone');

/** What is not there is the same to whoever may write, and nobody else learns of it. */
const definition = { id: { anonymous: 401, stranger: 403, 'team reader': 403, owner: 404 } } as const;

/** A label that is none is what is wrong with the request. */
const unknownLabel = { id: { anonymous: 401, stranger: 403, 'team reader': 403, owner: 422 } } as const;

const said = (body: string) => ({ body });

/** Served under two names. */
const indexed: Rows = {
  issueGetIssue: read(),
  issueEditIssue: write({ fresh: freshIssue, body: (title) => ({ title }) }),
  issueDelete: change({ policy: organizationOwners, fresh: freshIssue }),
  issueEditIssueDeadline: write({ body: () => ({ due_date: null }) }),
  issueGetComments: read(),
  issueCreateComment: change({ policy: signedInHere, body: said }),
  issueEditCommentDeprecated: write({ ...comment, body: said }),
  issueDeleteCommentDeprecated: write({ ...comment, fresh: freshComment }),
  issueGetLabels: read(),
  issueAddLabel: write({ body: () => ({ labels: ['first'] }) }),
  issueReplaceLabels: write({ body: () => ({ labels: ['first'] }) }),
  issueClearLabels: write(),
  issueRemoveLabel: write({ ...label, absent: unknownLabel }),
};

const alsoSingular = ([id, row]: [string, Row]): [string, Row][] => [
  [id, row],
  [otherSpelling(id), row],
];

export const issueRows: Rows = {
  ...Object.fromEntries(Object.entries(indexed).flatMap(alsoSingular)),
  issueListIssues: read(),
  repoGetIssueConfig: read(),
  issueCreateIssue: change({ policy: signedInHere, body: (title) => ({ title }) }),
  issueGetRepoComments: read(),
  issueGetComment: read({ ...comment }),
  issueEditComment: write({ ...comment, body: said }),
  issueDeleteComment: write({ ...comment, fresh: freshComment }),
  issueSearchIssues: { policy: anybody },
  issueListLabels: read(),
  issueCreateLabel: write({ body: (name) => ({ name, color: 'fff' }) }),
  issueGetLabel: read({ ...label }),
  issueEditLabel: write({ ...label, body: () => ({ color: 'eee' }), absent: definition }),
  issueDeleteLabel: write({ ...label, fresh: freshLabel, absent: definition }),
  issueGetMilestonesList: read(),
  issueCreateMilestone: write({ body: (title) => ({ title }) }),
  issueGetMilestone: read({ ...milestone }),
  issueEditMilestone: write({ ...milestone, body: (title) => ({ title }), absent: definition }),
  issueDeleteMilestone: write({ ...milestone, fresh: freshMilestone, absent: definition }),
};
