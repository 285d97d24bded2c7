const CELLS = ['td', 'th', 'caption'];
const GROUPS = ['thead', 'tbody', 'tfoot'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const PARTS = ['table', ...GROUPS, 'tr', ...CELLS];

/** Where an element may not be: the nearest of the elements `among` around it is one of `not`, or there is none. */
interface Rule {
  readonly among: readonly string[];
  readonly not: readonly (string | undefined)[];
}

const NONE = undefined;
const partIn = (...places: readonly string[]): Rule => ({
  among: PARTS,
  not: [NONE, ...PARTS.filter((name) => !places.includes(name))],
});

const TABLE: Rule = { among: PARTS, not: PARTS.filter((name) => !CELLS.includes(name)) };
const ITEM: Rule = { among: ['li', 'ul', 'ol', ...CELLS], not: [NONE, 'li'] };
const TERM: Rule = { among: ['dt', 'dd', 'dl', ...CELLS], not: [NONE, 'dt', 'dd'] };
/** In a `ruby`, an annotation ends the item or term just around it. */
const ANNOTATION: Rule = { among: ['ruby', 'li', 'dt', 'dd'], not: ['li', 'dt', 'dd'] };
const HEADING: Rule = { among: [...HEADINGS, ...CELLS], not: HEADINGS };

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['li', ITEM],
  ['dt', TERM],
  ['dd', TERM],
  ['rt', ANNOTATION],
  ['rp', ANNOTATION],
  ...HEADINGS.map((name) => [name, HEADING] as const),
  ['table', TABLE],
  ...[...GROUPS, 'caption'].map((name) => [name, partIn('table')] as const),
  ['tr', partIn('table', ...GROUPS)],
  ...['td', 'th'].map((name) => [name, partIn('table', ...GROUPS, 'tr')] as const),
]);

const NAMES = new Set([...RULES].flatMap(([name, { among }]) => [name, ...among]));
const TAG = new RegExp(`<(/?)(${[...NAMES].join('|')})(?=[ >])[^<>]*>`, 'g');

interface OpenTag {
  readonly name: string;
  readonly isKept: boolean;
}

/**
 * Leaves out the tags of sanitised HTML at which a browser would end other elements than those just before them, as at an
 * item in an item without a list, or a row in a cell: the end tags of those elements would then end elements of the page.
 * So are items, terms and parts of tables that are in no list or table: they would end those of the page. What such an
 * element holds stays.
 */
export function wellNested(html: string): string {
  const open: OpenTag[] = [];
  return html.replace(TAG, (tag, slash: string, name: string) => {
    if (slash) return open.pop()?.isKept ? tag : '';
    const { among, not } = RULES.get(name) ?? { among: [], not: [] };
    const around = open.findLast((each) => each.isKept && among.includes(each.name))?.name;
    const isKept = !not.includes(around);
    open.push({ name, isKept });
    return isKept ? tag : '';
  });
}
