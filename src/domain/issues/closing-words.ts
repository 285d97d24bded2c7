/** A reference to an issue in a commit message, and what the message does to the issue. */
export interface IssueReference {
  /** `owner/name` as written; absent for an issue of the commit's own repository. */
  readonly repository?: string;
  readonly number: number;
  readonly action: 'close' | 'reopen' | 'mention';
}

/** How many references of one message count; further ones are ignored. */
export const MAX_REFERENCES = 100;

const CLOSE = 'close[sd]?|fix(?:e[sd])?|resolve[sd]?';
const REOPEN = 'reopen(?:s|ed)?';
const REPOSITORY = '[a-z0-9_.-]{1,100}/[a-z0-9_.-]{1,100}';
/**
 * Matches a reference, alone or after a closing or reopening word, between blanks, brackets or quotes; punctuation at
 * the end of a sentence may follow it. A word right after a quote, as in the message of a revert, says nothing. Each
 * part has a bounded length, so that the time is linear in the length of the message.
 */
const REFERENCE = new RegExp(
  `(?<=^|[\\s(['"])(?:(?<!['"])(?:(?<close>${CLOSE})|(?<reopen>${REOPEN})):?[ \\t]{1,8})?` +
    `(?<repository>${REPOSITORY})?#(?<number>[0-9]{1,15})` +
    `(?=[:;,.?!]{0,3}(?:$|[\\s)\\]'"]))`,
  'gi',
);

/** Replaces the addresses of issues below `base` by `owner/name#1`. */
function inShort(message: string, base: string): string {
  const literal = base.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return message.replace(
    new RegExp(`(?<![a-z0-9_.-])${literal}/(${REPOSITORY})/issues/(?=[0-9])`, 'gi'),
    '$1#',
  );
}

/**
 * Returns the issues that a commit message names as `#1`, `owner/name#1` or by their address below `base`, in order,
 * each once per action. An issue right after a closing or reopening word, in any letter case, is to be closed or
 * reopened.
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
