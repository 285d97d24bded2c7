import { is, Map } from 'immutable';
import { invalid } from '../errors.js';

/** What a label is. A name's part before its last `/` is its scope; of an exclusive label's scope an issue has one. */
export type LabelFacts = {
  readonly name: string;
  /** Six lower-case hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly isArchived: boolean;
};

const LONGEST_NAME = 50;

/** As a request words it; what is absent says nothing. */
export type AskedLabel = { readonly [Key in keyof LabelFacts]?: LabelFacts[Key] | undefined };

/** A label of its own: what is left out is empty or off. Refuses one without a name or a colour. */
export const newLabel = (asked: AskedLabel): LabelFacts =>
  labelFrom(asked, { description: '', exclusive: false, isArchived: false });

/** What is asked, upon what there is. */
export function labelFrom(
  asked: AskedLabel,
  base: Partial<LabelFacts> & Omit<LabelFacts, 'name' | 'color'>,
): LabelFacts {
  const { name = base.name ?? '', color = base.color ?? '' } = asked;
  if (name.trim() === '') throw invalid('label.name_missing', 'Name', 'Required');
  if ([...name].length > LONGEST_NAME)
    throw invalid('label.name_long', 'Name', `must have ${LONGEST_NAME} characters at most`);
  return {
    name,
    color: colorOf(color),
    description: asked.description ?? base.description,
    exclusive: asked.exclusive ?? base.exclusive,
    isArchived: asked.isArchived ?? base.isArchived,
  };
}

/** What labels are found by: letter case does not count. */
export const labelNameKey = (name: string): string => name.toLowerCase();

/** Whether nothing differs that an edit would record. */
export const isSameLabel = (one: LabelFacts, other: LabelFacts): boolean => is(Map(one), Map(other));

/** The facts alone, of whatever holds more. */
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

/** What an exclusive label excludes others of; undefined for one that excludes none. */
export function exclusiveScope({
  name,
  exclusive,
}: Pick<LabelFacts, 'name' | 'exclusive'>): string | undefined {
  const end = name.lastIndexOf('/');
  return exclusive && end > 0 && end < name.length - 1 ? name.slice(0, end) : undefined;
}

/** Takes three or six hexadecimal digits, after a `#` or not. */
function colorOf(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) throw invalid('label.color_invalid', 'Color', 'must be a colour as in #00aabb');
  return digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
}
