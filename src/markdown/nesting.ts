const CELLS = ['td', 'th', 'caption'];
const GROUPS = ['thead', 'tbody', 'tfoot'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const PARTS = ['table', ...GROUPS, 'tr', ...CELLS];

/** Where an element may not be: the nearest of the elements `among` around it is one of `not`. */
interface Rule {
  readonly among: readonly string[];
  readonly not: readonly string[];
}

const only = (...places: readonly string[]): Rule => ({
  among: PARTS,
  not: PARTS.filter((name) => !places.includes(name)),
});

const ITEM: Rule = { among: ['li', 'ul', 'ol', ...CELLS], not: ['li'] };
const TERM: Rule = { among: ['dt', 'dd', 'dl', ...CELLS], not: ['dt', 'dd'] };

const HEADING: Rule = { among: [...HEADINGS, ...CELLS], not: HEADINGS };

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['li', ITEM],
  ['dt', TERM],
  ['dd', TERM],
  ...HEADINGS.map((name) => [name, HEADING] as const),
  ['table', only(...CELLS)],
  ...[...GROUPS, 'caption'].map((name) => [name, only('table')] as const),
  ['tr', only('table', ...GROUPS)],
  ...['td', 'th'].map((name) => [name, only('table', ...GROUPS, 'tr')] as const),
]);

const NAMES = new Set([...RULES].flatMap(([name, { among }]) => [name, ...among]));
const TAG = new RegExp(`<(/?)(${[...NAMES].join('|')})(?=[ >])[^<>]*>`, 'g');

interface OpenTag {
  readonly name: string;
  readonly isKept: boolean;
  /** Whether a browser makes an element of it. */
  readonly isElement: boolean;
}

/**
 * Leaves out the tags of sanitised HTML at which a browser would end other elements than those just before them, as at an
 * item in an item without a list, or a row in a cell: the end tags of those elements would then end elements of the page.
 * What such an element holds stays.
 */
export function wellNested(html: string): string {
  const open: OpenTag[] = [];
  return html.replace(TAG, (tag, slash: string, name: string) => {
    if (slash) return open.pop()?.isKept ? tag : '';
    const { among, not } = RULES.get(name) ?? { among: [], not: [] };
    const around = open.findLast((each) => each.isElement && among.includes(each.name))?.name;
    const isKept = around === undefined || !not.includes(around);
    // Browsers ignore a part of a table that is in none.
    const isIgnored = around === undefined && name !== 'table' && PARTS.includes(name);
    open.push({ name, isKept, isElement: isKept && !isIgnored });
    return isKept ? tag : '';
  });
}
