import { fragment } from '../database/sql.js';

/** A label, of a repository or of an organization. */
export interface LabelRow {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}

/** In which order labels are listed; `uses` is the number of issues that carry one. */
export const labelOrders = {
  name: fragment`lower_name, id`,
  reversealphabetically: fragment`lower_name desc, id desc`,
  leastissues: fragment`uses, lower_name, id`,
  mostissues: fragment`uses desc, lower_name, id`,
};
/** One of these orders; all but `name` are what clients ask for by that word. */
export type LabelOrder = keyof typeof labelOrders;

/** The order of that name; by name where there is none. */
export const labelOrderOf = (word: string | undefined): LabelOrder =>
  word === 'reversealphabetically' || word === 'leastissues' || word === 'mostissues' ? word : 'name';
