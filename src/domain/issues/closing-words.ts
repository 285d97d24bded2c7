/** What a commit message says of an issue. */
export interface IssueReference {
  /** `owner/name`, as it was written; absent for an issue of the repository that the commit is in. */
  readonly repository?: string;
  readonly number: number;
  readonly action: 'close' | 'reopen' | 'mention';
}

/** Of one message; what it refers to after so many counts nothing. */
export const MAX_REFERENCES = 100;

const CLOSE = 'close[sd]?|fix(?:e[sd])?|resolve[sd]?';
const REOPEN = 'reopen(?:s|ed)?';
const REPOSITORY = '[a-z0-9_.-]{1,100}/[a-z0-9_.-]{1,100}';
/**
 * A reference by itself or behind a closing or reopening word, between blanks, brackets or quotes; signs that end a sentence
 * may follow it. Each part is bounded, so that the time grows with the length of the message alone.
 */
const REFERENCE = new RegExp(
  `(?<=^|[\\s(['"])(?:(?:(?<close>${CLOSE})|(?<reopen>${REOPEN})):?[ \\t]{1,8})?` +
    `(?<repository>${REPOSITORY})?#(?<number>[0-9]{1,15})` +
    `(?=[:;,.?!]{0,3}(?:$|[\\s)\\]'"]))`,
  'gi',
);

/** With addresses of issues below `base` written as `owner/name#1`. */
function inShort(message: string, base: string): string {
  const literal = base.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return message.replace(
    new RegExp(`(?<![a-z0-9_.-])${literal}/(${REPOSITORY})/issues/(?=[0-9])`, 'gi'),
    '$1#',
  );
}

/**
 * The issues that a commit message names as `#1`, `owner/name#1` or by their address below `base`, in its order, each
 * once for each action: one right after a closing or reopening word is to be closed or reopened, in any letter case.
 */
export function closingWords(message: string, base: string): IssueReference[] {
  const references = new Map<string, IssueReference>();
  for (const { groups = {} } of inShort(message, base).matchAll(REFERENCE)) {
    const { repository } = groups;
    const number = Number(groups.number);
    if (number === 0) continue;
    const action = actionOf(groups);
    const key = `${action} ${repository?.toLowerCase() ?? ''}#${number}`;
    if (!references.has(key))
      references.set(key, { ...(repository !== undefined && { repository }), number, action });
    if (references.size === MAX_REFERENCES) break;
  }
  return [...references.values()];
}

function actionOf({ close, reopen }: Readonly<Record<string, string | undefined>>): IssueReference['action'] {
  if (close !== undefined) return 'close';
  return reopen === undefined ? 'mention' : 'reopen';
}
