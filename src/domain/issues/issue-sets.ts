/** What `carrying` puts before the id. */
export const CARRYING = 'label/';

/** The set of issues of a repository that carry a label. Deleted issues stay in it. */
export const carrying = (labelId: number): string => `${CARRYING}${labelId}`;

/** The set of issues that are closed or deleted. */
export const ENDED = 'ended';

/** The set of issues that are deleted. */
export const DELETED = 'deleted';
