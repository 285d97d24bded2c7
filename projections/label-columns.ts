import { labelNameKey, type LabelFacts } from '../src/domain/labels/label.js';

/** Returns the columns that every table of labels has, besides those that identify label and owner. */
export const labelColumns = ({ name, color, description, exclusive, isArchived }: LabelFacts) => ({
  name,
  lower_name: labelNameKey(name),
  color,
  description,
  exclusive,
  is_archived: isArchived,
});
