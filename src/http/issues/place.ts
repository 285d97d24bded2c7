import type { Queryable } from '../../database/queryable.js';
import { notFound } from '../../domain/errors.js';
import { rankOf, type UnitKey } from '../../domain/organizations/team-access.js';
import { checkNotArchived } from '../../domain/repositories/lifecycle.js';
import { findComment, type CommentRow } from '../../queries/issues/comments.js';
import { findIssue, isIssue, type IssueRow } from '../../queries/issues/issues.js';
import { idOfNamed } from '../../queries/repositories/repositories.js';
import { anyone, signedIn, type Access } from '../access.js';
import type { Caller, Principal } from '../caller.js';
import { Refused, signInRequired } from '../refused.js';
import { repositoryAt, standingOf, type RepositoryMet, type RepositoryPath } from '../repositories/place.js';

type Path<Params> = Omit<RepositoryPath, 'params'> & { readonly params: RepositoryPath['params'] & Params };

/** An issue that a path names, in a repository whose issues the caller may see. */
export interface IssueMet extends RepositoryMet {
  readonly issue: IssueRow;
}

/** A comment that a path names, in a repository whose issues the caller may see. */
export interface CommentMet extends RepositoryMet {
  readonly comment: CommentRow;
}

/** Finds the repository of a path, for its issues. Throws 404 also if it has none. */
export const issuesAt = (place: RepositoryPath): Promise<RepositoryMet> => whereSeen(place, ['repo.issues']);

/** As `issuesAt`, for labels and milestones, which callers who see pull requests may see too. */
export const definitionsAt = (place: RepositoryPath): Promise<RepositoryMet> =>
  whereSeen(place, ['repo.issues', 'repo.pulls']);

async function whereSeen(place: RepositoryPath, units: readonly UnitKey[]): Promise<RepositoryMet> {
  const met = await repositoryAt(place);
  const isOn = met.repository.units.includes('repo.issues');
  if (!isOn || units.every((unit) => met.units[unit] < rankOf('read')))
    throw notFound('issues.absent', 'the repository has no issues');
  return met;
}

type IssuePath = Path<{ readonly index: number }>;

/** Makes the 404 for an issue that does not exist. */
export const issueAbsent = () => notFound('issue.absent', 'the issue does not exist');
/** Makes the 404 for a comment that does not exist. */
export const commentAbsent = () => notFound('comment.absent', 'the comment does not exist');

/** Finds the issue that a path names. */
export async function issueAt(place: IssuePath): Promise<IssueMet> {
  const { owner, repo, index } = place.params;
  // Both are read in parallel. Whether the caller may know of the repository is checked before the issue, which may be
  // that of another repository if that has taken the name in between.
  const [met, issue] = await Promise.all([
    issuesAt(place),
    findIssue(place.db, idOfNamed(owner, repo), index),
  ]);
  if (issue?.repository_id !== met.repository.id) throw issueAbsent();
  return { issue, ...met };
}

/** Throws 404 if the repository has no such issue. */
export async function checkIssueThere(db: Queryable, repositoryId: number, number: number): Promise<void> {
  if (!(await isIssue(db, repositoryId, number))) throw issueAbsent();
}

/** Finds the comment that a path names, on any issue of the repository. */
export async function commentAt(place: Path<{ readonly id: number }>): Promise<CommentMet> {
  const met = await issuesAt(place);
  const comment = await findComment(place.db, met.repository.id, place.params.id);
  if (!comment) throw commentAbsent();
  return { comment, ...met };
}

/** Makes anonymous callers get 401 before they learn whether the issue or comment exists. */
const changing =
  <Place extends RepositoryPath, Met>(find: (place: Place) => Promise<Met>) =>
  async (place: Place): Promise<Met> => {
    if (place.caller) return find(place);
    await issuesAt(place);
    throw signInRequired();
  };

/** As `commentAt`, for paths that name the issue as well. */
async function commentOfIssueAt(
  place: Path<{ readonly id: number; readonly index: number }>,
): Promise<CommentMet> {
  const met = await commentAt(place);
  if (met.comment.number !== place.params.index) throw commentAbsent();
  return met;
}

/** As the functions without `ToChange`, for changes, which only signed-in callers may make. */
export const issueToChangeAt = changing(issueAt);
export const commentToChangeAt = changing(commentAt);
export const commentOfIssueToChangeAt = changing(commentOfIssueAt);

/** Tells whether the caller may change other users' issues in the repository. */
export const writesIssues = ({ units }: RepositoryMet): boolean => units['repo.issues'] >= rankOf('write');

/** Tells whether the caller may say when a change happened: administrators of the repository may. */
export const mayDate = ({ rank }: RepositoryMet): boolean => rank >= rankOf('admin');

/** Admits callers who may see the issues, signed in or not. */
export const issueReader: Access = { ...anyone, name: 'whoever sees the issues', afterParent: true };

/** Admits callers who may see the labels and milestones, signed in or not. */
export const definitionReader: Access = {
  ...issueReader,
  name: 'whoever sees the issues or pull requests',
};

/** Admits signed-in callers who may see the issues. Throws 423 if the repository is archived. */
export const issueParticipant = writing('whoever sees the issues, signed in', () => true, '');

/** Admits callers who may write the repository's issues. */
export const issueWriter = writing('writer of issues', writesIssues, 'writers of issues only');

/** Admits callers who may write the repository's issues or pull requests, because both share labels and milestones. */
export const definitionWriter = writing(
  'writer of issues or pull requests',
  ({ units }) => Math.max(units['repo.issues'], units['repo.pulls']) >= rankOf('write'),
  'writers of issues or pull requests only',
);

export const issueAdministrator = writing(
  'administrator of the repository, for issues',
  ({ rank }) => rank >= rankOf('admin'),
  'administrators of the repository only',
);

/** Admits the comment's author and writers of issues, even if the repository is archived. */
export const commentAuthorOrWriter: Access<Principal, CommentMet> = {
  name: 'author of the comment or writer of issues',
  afterParent: true,
  admit: (caller, place) => signedIn.admit(caller, place),
  admitToChange(caller, { parent }) {
    if (!isAuthor(caller, parent.comment.author_id) && !writesIssues(parent))
      throw new Refused(403, 'the author and writers of issues only');
  },
};

/** As `commentAuthorOrWriter`, but throws 423 if the repository is archived. */
export const commentEditor: Access<Principal, CommentMet> = {
  ...commentAuthorOrWriter,
  name: 'author of the comment or writer of issues, not archived',
  admit: (caller, place) => issueParticipant.admit(caller, place),
};

/** Admits the issue's poster and writers of issues. */
export const issuePosterOrWriter: Access<Principal, IssueMet> = {
  name: 'poster of the issue or writer of issues',
  afterParent: true,
  admit: (caller, place) => issueParticipant.admit(caller, place),
  admitToChange(caller, { parent }) {
    if (!isAuthor(caller, parent.issue.poster_id) && !writesIssues(parent))
      throw new Refused(403, 'the poster and writers of issues only');
  },
};

const isAuthor = (caller: Caller, authorId: number) => caller?.accountId === authorId;

function writing(
  name: string,
  reaches: (met: RepositoryMet) => boolean,
  refusal: string,
): Access<Principal, RepositoryMet> {
  return {
    name,
    afterParent: true,
    admit(caller, place) {
      const principal = signedIn.admit(caller, place);
      if (!place.wasDone) checkNotArchived(standingOf(place.parent));
      return principal;
    },
    admitToChange(_, { parent }) {
      if (!reaches(parent)) throw new Refused(403, refusal);
    },
  };
}
