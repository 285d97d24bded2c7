import { z } from 'zod';
import { optional } from '../schema.js';

/** The fields of a MarkdownOption, by their lower-case names. */
export const OptionFields = z.object({
  text: optional(z.string()),
  mode: optional(z.string()),
  context: optional(z.string()),
  wiki: optional(z.boolean()),
});

/** A MarkdownOption, whose fields are accepted in any letter case. */
export const MarkdownOption = z
  .unknown()
  .transform((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner as unknown]))
      : value,
  )
  .pipe(OptionFields)
  .meta({
    id: 'MarkdownOption',
    type: 'object',
    properties: {
      Text: { type: ['string', 'null'] },
      Mode: { type: ['string', 'null'] },
      Context: { type: ['string', 'null'] },
      Wiki: { type: ['boolean', 'null'] },
    },
  });

/** A text to render, as it was sent. */
export type MarkdownOption = z.output<typeof OptionFields>;

export const MarkdownText = z.string().meta({ id: 'MarkdownText', contentMediaType: 'text/plain' });

export const HtmlFragment = z.string().meta({ id: 'HtmlFragment', contentMediaType: 'text/html' });
