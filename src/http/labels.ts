import { z } from 'zod';
import type { LabelRow } from '../queries/label-row.js';
import { PageQuery } from './answers/paging.js';
import { atMost, optional, queryText, requiredText } from './schema.js';

export const Label = z
  .object({
    id: z.int(),
    name: z.string(),
    exclusive: z.boolean(),
    is_archived: z.boolean(),
    color: z.string(),
    description: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Label' });

/** The description is bounded because each issue with the label includes it. */
const label = {
  description: optional(atMost(500)),
  exclusive: optional(z.boolean()),
  is_archived: optional(z.boolean()),
};

/** The domain checks colours. */
export const CreateLabelBody = z
  .object({ name: requiredText, color: requiredText, ...label })
  .meta({ id: 'CreateLabelOption' });
export const EditLabelBody = z
  .object({ name: optional(z.string()), color: optional(z.string()), ...label })
  .meta({ id: 'EditLabelOption' });

export const LabelsQuery = PageQuery.extend({ sort: queryText });

/** Renames the fields of a body to those of the domain. */
export const labelAsked = ({ is_archived: isArchived, ...label }: z.output<typeof EditLabelBody>) => ({
  ...label,
  isArchived,
});

/** Presents a label of the organization or repository at this address in the API. */
export const presentLabelOf = (
  address: string,
  { id, name, exclusive, is_archived, color, description }: LabelRow,
): z.output<typeof Label> => ({
  id,
  name,
  exclusive,
  is_archived,
  color,
  description,
  url: `${address}/labels/${id}`,
});
