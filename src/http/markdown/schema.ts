import { z } from 'zod';
import { optional, orNothing } from '../schema.js';

/** The fields of a MarkdownOption, by their lower-case names. */
const MarkdownFields = z.object({
  text: optional(z.string()),
  mode: optional(z.string()),
  context: orNothing(z.string()),
  wiki: optional(z.boolean()),
});

/** The fields of a MarkupOption, which are those of a MarkdownOption and more. */
export const MarkupFields = MarkdownFields.extend({ filepath: optional(z.string()) });

const inLowerCase = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner as unknown]))
    : value;

const described = {
  Text: { type: ['string', 'null'] },
  Mode: { type: ['string', 'null'] },
  Context: { type: ['string', 'null'] },
  Wiki: { type: ['boolean', 'null'] },
};

/** A text to render, whose fields are accepted in any letter case. */
export const MarkdownOption = z
  .unknown()
  .transform(inLowerCase)
  .pipe(MarkdownFields)
  .meta({ id: 'MarkdownOption', type: 'object', properties: described });

/** As MarkdownOption. `FilePath` names the file that the text is, in the mode `file`. */
export const MarkupOption = z
  .unknown()
  .transform(inLowerCase)
  .pipe(MarkupFields)
  .meta({
    id: 'MarkupOption',
    type: 'object',
    properties: { ...described, FilePath: { type: ['string', 'null'] } },
  });

/** A text to render, as it was sent. */
export type MarkdownOption = z.output<typeof MarkdownFields>;

export const MarkdownText = z.string().meta({ id: 'MarkdownText', contentMediaType: 'text/plain' });

export const HtmlFragment = z.string().meta({ id: 'HtmlFragment', contentMediaType: 'text/html' });
