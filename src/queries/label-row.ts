import { fragment } from '../database/sql.js';

/** A label of a repository or organization. */
export interface LabelRow {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}

/** The orders in which labels can be listed. `uses` is the number of issues that carry the label. */
export const labelOrders = {
  name: fragment`lower_name, id`,
  reversealphabetically: fragment`lower_name desc, id desc`,
  leastissues: fragment`uses, lower_name, id`,
  mostissues: fragment`uses desc, lower_name, id`,
};
/** The name of an order. All but `name` are values that clients may ask for. */
export type LabelOrder = keyof typeof labelOrders;

/** Returns the order that a client asked for; `name` if it asked for none or an unknown one. */
export const labelOrderOf = (word: string | undefined): LabelOrder =>
  word === 'reversealphabetically' || word === 'leastissues' || word === 'mostissues' ? word : 'name';
