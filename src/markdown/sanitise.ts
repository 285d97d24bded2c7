import sanitizeHtml from 'sanitize-html';
import { imageAddress, linkAddress } from './addresses.js';
import { wellNested } from './nesting.js';
import type { MarkdownJob } from './job.js';
import type { OwnHtml } from './own-html.js';

/** Ordered by frequency, because the list is searched from its beginning for every element. */
const ELEMENTS =
  'span p a code li td tr th strong em pre ul ol br h1 h2 h3 h4 h5 h6 img table thead tbody input blockquote div del hr ' +
  'abbr b bdo caption cite dd details dfn dl dt figure figcaption i ins kbd mark q rp rt ruby s samp small strike sub ' +
  'summary sup tfoot time tt var video wbr';

const ANYWHERE =
  'align alt aria-* colspan cite datetime dir height hspace itemprop lang open rowspan rules span start summary ' +
  'title valign vspace width id';

/** Elements that are removed together with their content. */
export const WITHOUT_CONTENT = [
  'script',
  'style',
  'noscript',
  'template',
  'xmp',
  'title',
  'noembed',
  'noframes',
  'plaintext',
];

const COLOUR = [/^#[\da-f]{3,8}$/i, /^(?:rgb|hsl)a?\([\d.,%\s]+\)$/i, /^[a-z]{3,20}$/i];
const STYLES = { color: COLOUR, 'background-color': COLOUR };

const OWN_ID = /^(?:user-content-|fn(?:ref)?:user-content-)/;

/** Restricts finished HTML to what a text may put on a page, and puts in what is our own. Never throws. */
export function sanitise(html: string, job: MarkdownJob, own: OwnHtml): string {
  const fragment = html.replace(OF_PAGES, '&lt;').replace(TEXT_FIELD, '$1text&#97;rea');
  return own.restored(asWritten(wellNested(sanitizeHtml(fragment, policyFor(job, own))), job));
}

/** The beginnings of tags that a page has only once. In a fragment they become text. */
const OF_PAGES = /<(?=\/?(?:html|head)[\s/>])/gi;

/**
 * The names of text fields, whose content would be read as text up to an end tag that may never come. With an entity, which
 * counts in an attribute but not in a name, they are those of an unknown element, whose content is read as any other.
 */
const TEXT_FIELD = /(<\/?)textarea(?=[\s/>])/gi;

/** The package's types lack this option. */
type Policy = sanitizeHtml.IOptions & { readonly allowedEmptyAttributes: readonly string[] };

const policyFor = (job: MarkdownJob, own: OwnHtml): Policy => ({
  allowedTags: ELEMENTS.split(' '),
  disallowedTagsMode: 'discard',
  nonTextTags: WITHOUT_CONTENT,
  allowedAttributes: {
    '*': ANYWHERE.split(' '),
    a: ['href', 'class', 'rel', 'target'],
    img: ['src'],
    video: ['src', 'controls', 'poster'],
    input: ['type', 'checked', 'disabled', 'data-source-position'],
    span: ['class', 'style', 'data-alias'],
    p: ['class', 'style'],
    th: ['style'],
    td: ['style'],
    pre: ['class'],
    code: ['class'],
    li: ['class'],
    i: ['class'],
    blockquote: ['class'],
    strong: ['class'],
  },
  allowedStyles: { span: STYLES, p: STYLES, th: STYLES, td: STYLES },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: true,
  allowedEmptyAttributes: ['alt', 'checked', 'disabled'],
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: judgedAll(tagName, attribs, own) }),
    a: (tagName, { target, ...attribs }) => {
      if (attribs.name) attribs.id ??= attribs.name; // links within a text lead to ids
      delete attribs.rel; // `rel` as given in the text has no effect
      const isBlank = target === '_blank';
      if (isBlank) attribs.target = target;
      if (attribs.href?.startsWith('#') && attribs.href !== '#')
        attribs.href = linkAddress(attribs.href, job);
      if (attribs.href !== undefined) attribs.rel = isBlank ? 'nofollow noopener' : 'nofollow';
      return { tagName, attribs };
    },
    img: (tagName, { src, ...attribs }) => ({
      tagName,
      attribs: {
        ...(src !== undefined && { src: job.mode === 'markdown' ? src : imageAddress(src, job) }),
        ...attribs,
      },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => {
    if (tag === 'img') return attribs.src === undefined || attribs.src === '';
    if (tag === 'input') return attribs.type !== 'checkbox';
    const leadsNowhere = attribs.href === undefined && attribs.id === undefined;
    // A link that has `rel` had an address that was refused: then even a class does not keep it.
    const isBare = attribs.class === undefined || attribs.rel !== undefined;
    return tag === 'a' && leadsNowhere && isBare ? 'excludeTag' : false;
  },
  selfClosing: ['img', 'br', 'hr', 'input', 'wbr'],
  nestingLimit: 200,
});

const LANGUAGE = String.raw`language-[\p{L}\p{N}_+#.-]+`;

/**
 * Allowed values of `class` by element. Only the whole value counts: additional or reordered classes remove the attribute.
 */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['pre', /^code-block(?: is-loading)?$/],
  [
    'code',
    new RegExp(
      `^(?:${LANGUAGE}|chroma ${LANGUAGE} display|(?:language-math )?(?:display )?is-loading)$`,
      'u',
    ),
  ],
  ['li', /^(?:task-list-item|checked|unchecked|indeterminate)$/],
  ['a', /^(?:mention|ref-issue(?: ref-external-issue)?)$/],
  ['blockquote', /^attention-header attention-(?:note|tip|important|warning|caution)$/],
  ['strong', /^attention-(?:note|tip|important|warning|caution)$/],
  ['p', /^attention-title$/],
  ['span', /^(?:color-preview|emoji|issue-keyword|icon(?: [\w-]+)+|[a-z][a-z\d]{0,2})$/],
  ['i', /^icon(?: [\w-]+)+$/],
]);

/** Names of attributes. Those with other characters could slip through the pattern `aria-*`. */
const ATTRIBUTE = /^[a-z]+(?:-[a-z]+)*$/;

/** Returns the value that an attribute keeps; undefined if the attribute is removed. */
function judged(tag: string, name: string, value: string, own: OwnHtml): string | undefined {
  if (!ATTRIBUTE.test(name)) return undefined;
  if (name === 'id') return OWN_ID.test(value) ? value : `user-content-${value}`;
  if (name === 'data-alias') return /^[\w+-]+$/.test(value) ? value : undefined;
  if (name !== 'class' || CLASSES.get(tag)?.test(value)) return value;
  return tag === 'i' && own.isPlaceholder(value) ? value : undefined;
}

function judgedAll(tag: string, attribs: sanitizeHtml.Attributes, own: OwnHtml): sanitizeHtml.Attributes {
  const all: sanitizeHtml.Attributes = {};
  for (const name of Object.keys(attribs)) {
    const kept = judged(tag, name, attribs[name] ?? '', own);
    if (kept !== undefined) all[name] = kept;
  }
  return all;
}

/** Matches a `style` after whole attributes, so that an attribute's value which looks like a style is left alone. */
const STYLE = /(<\w+(?: [\w-]+(?:="[^"<>]*")?)*?) style="([^"<>]*)"/g;

/**
 * Writes void elements in the form of the mode, and styles with blanks. Text is escaped by now and has no angle brackets.
 */
const asWritten = (html: string, { mode }: MarkdownJob): string =>
  html
    .replace(/<(br|hr|img|input|wbr)((?: [^<>]*[^<> ])?) ?\/>/g, mode === 'markdown' ? '<$1$2>' : '<$1$2/>')
    .replace(
      STYLE,
      (_, before: string, style: string) =>
        `${before} style="${style.replaceAll(':', ': ').replaceAll(';', '; ')}"`,
    );
