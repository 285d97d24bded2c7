import { labelNameKey, type LabelFacts } from '../src/domain/labels/label.js';

/** What a table of labels holds of each besides whose it is. */
export const labelColumns = ({ name, color, description, exclusive, isArchived }: LabelFacts) => ({
  name,
  lower_name: labelNameKey(name),
  color,
  description,
  exclusive,
  is_archived: isArchived,
});
