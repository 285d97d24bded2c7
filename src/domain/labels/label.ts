import { invalid } from '../errors.js';
import { isLonger } from '../characters.js';

/** A label's facts. The name up to the last `/` is its scope; an issue has at most one label of an exclusive scope. */
export type LabelFacts = {
  readonly name: string;
  /** Six lower-case hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly isArchived: boolean;
};

const LONGEST_NAME = 50;
const MAX_LABELS = 1_000;

/** A label as requested; absent fields are not given. */
export type AskedLabel = { readonly [Key in keyof LabelFacts]?: LabelFacts[Key] | undefined };

/** Returns the facts of a new label. Absent fields are empty or false. Refuses a label without a name or color. */
export const newLabel = (asked: AskedLabel): LabelFacts =>
  labelFrom(asked, { description: '', exclusive: false, isArchived: false });

/** Applies the requested fields to the present ones and checks the result. */
export function labelFrom(
  asked: AskedLabel,
  base: Partial<LabelFacts> & Omit<LabelFacts, 'name' | 'color'>,
): LabelFacts {
  const { name = base.name ?? '', color = base.color ?? '' } = asked;
  if (name.trim() === '') throw invalid('label.name_missing', 'Name', 'Required');
  if (isLonger(name, LONGEST_NAME))
    throw invalid('label.name_long', 'Name', `must have ${LONGEST_NAME} characters at most`);
  return {
    name,
    color: colorOf(color),
    description: asked.description ?? base.description,
    exclusive: asked.exclusive ?? base.exclusive,
    isArchived: asked.isArchived ?? base.isArchived,
  };
}

/** Refuses one label more for the repository or organization that has this many. */
export function checkLabelCount(labels: number): void {
  if (labels >= MAX_LABELS)
    throw invalid('label.too_many', 'Name', `there are ${MAX_LABELS} labels already, which is the most`);
}

/** Returns the key by which names are compared: letter case does not count. */
export const labelNameKey = (name: string): string => name.toLowerCase();

/** Picks the facts from an object that holds more. */
export const labelFactsOf = ({
  name,
  color,
  description,
  exclusive,
  isArchived,
}: LabelFacts): LabelFacts => ({
  name,
  color,
  description,
  exclusive,
  isArchived,
});

/** Returns the scope in which an exclusive label excludes others; undefined for a label that excludes none. */
export function exclusiveScope({
  name,
  exclusive,
}: Pick<LabelFacts, 'name' | 'exclusive'>): string | undefined {
  const end = name.lastIndexOf('/');
  return exclusive && end > 0 && end < name.length - 1 ? name.slice(0, end) : undefined;
}

/** Parses three or six hexadecimal digits, with or without a leading `#`, into six. */
function colorOf(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) throw invalid('label.color_invalid', 'Color', 'must be a colour as in #00aabb');
  return digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
}
