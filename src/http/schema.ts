import { z } from 'zod';
import { time } from '../formats.js';

export { time };

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A 64-bit integer, exact: a bigint, from a number or from digits that a double cannot hold. */
export const int64 = z
  .any()
  .transform((value: unknown, context) => {
    if (value === undefined || value === null) context.addIssue('Required');
    else if (typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value !== 'bigint')
      context.addIssue('must be an integer');
    else {
      const integer = BigInt(value as number | bigint);
      if (integer >= MIN_INT64 && integer <= MAX_INT64) return integer;
      context.addIssue('must fit in 64 bits');
    }
    return z.NEVER;
  })
  .meta({ type: 'integer', format: 'int64' });

/** Text that must be there; empty text counts as missing. */
export const requiredText = z.string().min(1, 'Required');

/** Absent or null: undefined. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value: z.output<T> | null | undefined) => value ?? undefined);

/** At most so many Unicode code points. */
export const atMost = (max: number) =>
  z
    .string()
    .refine((text) => text.length <= max || [...text].length <= max, `must have ${max} characters at most`)
    .meta({ maxLength: max });

/** A time in an answer: RFC 3339. */
export const shownTime = z.string().meta({ format: 'date-time' });

/** An absolute http or https URL, or empty text. */
export const webAddress = z
  .string()
  .refine((text) => text === '' || (/^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)), {
    error: 'must be an http or https URL',
  });

/** An id in a path. What is no id counts as 0, which nothing has, so that it is as absent as any unknown id. */
export const pathId = z
  .string()
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
  .meta({ type: 'integer' });

/** More than anything there is, and still exact when it is multiplied by a page's length. */
const MANY = 10 ** 14;

/** In a query: what is no 64-bit integer counts as 0, as does what is absent. What is beyond counting comes out as `MANY`. */
export const queryInteger = z
  .string()
  .optional()
  .transform((text) => {
    if (text === undefined || !/^[+-]?\d{1,19}$/.test(text)) return 0;
    const integer = BigInt(text.replace('+', ''));
    if (integer < MIN_INT64 || integer > MAX_INT64) return 0;
    return Math.max(-MANY, Math.min(Number(integer), MANY));
  })
  .meta({ type: 'integer' });

/** Text of a query that narrows a list: undefined where it is absent or empty. */
export const queryText = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text))
  .meta({ type: 'string' });

/** A time of a query as it was meant: a blank stands for the `+` of an offset that was sent unescaped. */
export const withOffset = (text: string) => text.replace(/ (?=\d\d:\d\d$)/, '+');

/** A time in a query: undefined where it is absent or empty. */
export const queryTime = queryText
  .transform((text) => text && withOffset(text))
  .pipe(time.optional())
  .transform((text) => (text === undefined ? undefined : new Date(text)))
  .meta({ type: 'string', format: 'date-time' });

/** What says true in a query or a form. */
export const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on']);

/** In a query: undefined where absent, and false for whatever is not a way to say true. */
export const queryBoolean = z
  .string()
  .optional()
  .transform((text) => (text === undefined ? undefined : TRUE_WORDS.has(text)))
  .meta({ type: 'boolean' });

/** An error's body; `url` is left out where the peers leave it out. */
export const problem = z
  .object({ message: z.string(), url: z.string().optional(), errors: z.array(z.string()).optional() })
  .meta({ id: 'Problem' });

/** The rule that refused, what it saw, and the address that explains the decision to administrators. */
export const quotaReason = z
  .object({
    group: z.string(),
    rule: z.string(),
    subject: z.string(),
    limit: z.int(),
    used: z.int(),
    incoming: z.int().nullable(),
    position: z.int(),
    explain: z.string(),
  })
  .meta({ id: 'QuotaReason' });

/** The body of 413: more than a request may hold, or than the quota of the account that it names allows. */
export const tooLarge = z
  .object({
    message: z.string(),
    url: z.string().optional(),
    user_id: z.int().optional(),
    username: z.string().optional(),
    reason: quotaReason.optional(),
  })
  .meta({ id: 'TooLarge' });

/** The body of 500 where clients search. */
export const searchFailure = z.object({ ok: z.boolean(), error: z.string() });

/** No body at all. */
export const nothing = z.undefined().meta({ id: 'Nothing' });

/** What `schema` makes of a value. Throws `ZodError`; what is not there says so in the API's word. */
export const checked = <T>(schema: z.ZodType<T>, value: unknown): T =>
  schema.parse(value, {
    error: ({ code, input }) =>
      code === 'invalid_type' && (input ?? null) === null ? 'Required' : undefined,
  });
