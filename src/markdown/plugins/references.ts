import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { escapeAttribute } from '../escape.js';
import type { MarkdownJob } from '../job.js';
import { environmentOf } from '../environment.js';
import { htmlToken, inlineLists, replaceEach, textsOutside, textToken } from './token.js';

/**
 * `@account` and `@organization/team`, not within a word or path, and without the dots that end a sentence. What goes on
 * as a path or as the name of another server, such as `@account@server`, is none.
 */
const MENTION = String.raw`(?<=^|[\s([])@(?:(?<organization>\w[\w.-]{0,98})\/(?<team>\w[\w.-]{0,253}\w|\w)|(?<account>\w[\w.-]{0,98}\w|\w))(?![.-]*[@:]?[\w/])`;
/** A commit's hash, and not the beginning of the name of a file, such as `abcdef1.txt` or `abcdef1/x`. */
const HASH = String.raw`[\da-f]{7,40}(?![\w/-]|\.\w)`;
/** `owner/name#1`, `owner/name!1` and `owner/name@hash`. */
const ELSEWHERE = String.raw`(?<![\w./-])(?<repository>[\w.-]{1,100}\/[\w.-]{1,100})(?:(?<sign>[#!])(?<number>\d{1,15})(?!\w)|@(?<hash>${HASH}))`;
/** `#1` and `!1`, in the context repository. */
const HERE = String.raw`(?<![\w&/.#!-])(?<ownSign>[#!])(?<ownNumber>\d{1,15})(?!\w)`;
/** A bare commit hash. */
const COMMIT = String.raw`(?<![\w/.@-])(?<commit>${HASH})`;

/** Any reference; each kind has its own groups. */
const ANYTHING = new RegExp([MENTION, ELSEWHERE, HERE, COMMIT].join('|'), 'g');
/** A sign that every reference contains; text without one, as most is, is skipped. */
const SIGN = /[@#!]|\b[\da-f]{7}/;
/** A word that closes or reopens the issue named right after it. */
const KEYWORD = /(?:^|[\s([])(close[sd]?|fix(?:e[sd])?|resolve[sd]?|reopen(?:s|ed)?)(:? )$/i;

/** Turns mentions, issues and commits into links if they are known; all others stay text. */
export function references(parser: MarkdownIt): void {
  parser.core.ruler.push('references', (state) => {
    const { job } = environmentOf(state.env);
    if (job.mode === 'markdown') return;
    for (const tokens of inlineLists(state)) {
      const texts = textsOutside('code and links', tokens);
      const shortened = new Set(tokens.filter((token, index) => shorten(token, tokens[index + 1], job)));
      replaceEach(tokens, (token, next) => {
        if (!texts.has(token)) return undefined;
        const beforeIssue = next !== undefined && shortened.has(next);
        return beforeIssue || SIGN.test(token.content)
          ? linked(state, token.content, job, beforeIssue)
          : undefined;
      });
    }
  });
}

/**
 * Shortens the text of a link that is the address of an issue of this site to the reference. Tells whether the token
 * began such a link, to the issue as a whole and not to a place in it, such as a comment.
 */
function shorten(link: Token, text: Token | undefined, { baseUrl, repository }: MarkdownJob): boolean {
  if (link.type !== 'link_open') return false;
  const href = String(link.attrGet('href') ?? '');
  if (text?.type !== 'text' || text.content !== href || !href.startsWith(`${baseUrl}/`)) return false;
  const [, place = '', sort, number, rest = ''] =
    /^([\w.-]+\/[\w.-]+)\/(issues|pulls)\/(\d+)([?#].*)?$/.exec(href.slice(baseUrl.length + 1)) ?? [];
  if (number === undefined) return false;
  const isHere = place.toLowerCase() === repository?.toLowerCase();
  const sign = sort === 'pulls' ? '!' : '#';
  link.attrSet('class', 'ref-issue');
  text.content = `${isHere ? '' : place}${sign}${number}${/#issuecomment-\d+$/.test(rest) ? ' (comment)' : ''}`;
  return rest === '';
}

/** Returns the tokens of a text with its references as links; `beforeIssue` tells that a link to an issue follows it. */
function linked(
  state: StateCore,
  content: string,
  job: MarkdownJob,
  beforeIssue: boolean,
): Token[] | undefined {
  const parts: Token[] = [];
  let last = 0;
  for (const match of content.matchAll(ANYTHING)) {
    const html = linkFor(match[0], match.groups ?? {}, job);
    if (html === undefined) continue;
    const isIssue = html.includes('class="ref-issue"');
    parts.push(...before(state, content.slice(last, match.index), isIssue), htmlToken(state, html));
    last = match.index + match[0].length;
  }
  if (last === 0 && !beforeIssue) return undefined;
  return [...parts, ...before(state, content.slice(last), beforeIssue)];
}

/** Returns the text before a reference, with a keyword marked that closes or reopens the issue, if it is one. */
function before(state: StateCore, content: string, isIssue: boolean): Token[] {
  const [, keyword = '', gap = ''] = (isIssue ? KEYWORD.exec(content) : null) ?? [];
  if (keyword === '') return [textToken(state, content)];
  const start = content.length - gap.length - keyword.length;
  return [
    textToken(state, content.slice(0, start)),
    htmlToken(state, `<span class="issue-keyword">${keyword}</span>`),
    textToken(state, gap),
  ];
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the link of a reference; undefined if it is unknown and stays text. */
const linkFor = (found: string, groups: Groups, job: MarkdownJob): string | undefined =>
  mention(found, groups, job) ?? elsewhere(found, groups, job) ?? here(found, groups, job);

function mention(
  found: string,
  { account, organization, team }: Groups,
  { baseUrl, known }: MarkdownJob,
): string | undefined {
  if (account !== undefined && known.accounts.includes(account.toLowerCase()))
    return link(`${baseUrl}/${account}`, 'mention', found);
  if (organization === undefined || team === undefined) return undefined;
  const isKnown = known.teams.includes(`${organization}/${team}`.toLowerCase());
  return isKnown ? link(`${baseUrl}/org/${organization}/teams/${team}`, 'mention', found) : undefined;
}

function elsewhere(
  found: string,
  { repository, sign, number, hash = '' }: Groups,
  { baseUrl, known }: MarkdownJob,
): string | undefined {
  if (repository === undefined || !known.repositories.includes(repository.toLowerCase())) return undefined;
  const place = `${baseUrl}/${repository}`;
  if (number !== undefined) return link(issueAt(place, sign, number), 'ref-issue', found);
  return commitLink(place, hash, `${repository}@${hash.slice(0, 10)}`);
}

function here(
  found: string,
  { ownSign, ownNumber, commit }: Groups,
  { mode, baseUrl, repository, known }: MarkdownJob,
): string | undefined {
  if (repository === undefined) return undefined;
  const place = `${baseUrl}/${repository}`;
  if (ownNumber !== undefined && mode === 'comment')
    return link(issueAt(place, ownSign, ownNumber), 'ref-issue', found);
  if (commit === undefined || !known.commits.includes(commit)) return undefined;
  return commitLink(place, commit, commit.slice(0, 10));
}

const commitLink = (repository: string, hash: string, words: string): string =>
  `<a href="${repository}/commit/${hash}"><code>${words}</code></a>`;

const issueAt = (repository: string, sign: string | undefined, number: string): string =>
  `${repository}/${sign === '!' ? 'pulls' : 'issues'}/${number}`;

const link = (href: string, kind: string, words: string): string =>
  `<a href="${escapeAttribute(href)}" class="${kind}">${words}</a>`;
