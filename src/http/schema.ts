import { z } from 'zod';
import { time } from '../values/formats.js';
import { parsedUrl } from '../values/parsed-url.js';
import { isLonger } from '../domain/characters.js';

export { time };

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A 64-bit integer as a bigint, so that it is exact: from a number, or from digits that a double cannot hold. */
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

/** Text that is required; empty text counts as missing. */
export const requiredText = z.string().min(1, 'Required');

/** Makes a field optional; absent and null both become undefined. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value: z.output<T> | null | undefined) => value ?? undefined);

/** Makes a field of text optional; absent, null and empty all become undefined. */
export const orNothing = <T extends z.ZodType<string>>(schema: T) =>
  optional(schema).transform((text) =>
    text === '' ? undefined : (text as Exclude<z.output<T>, ''> | undefined),
  );

/** Text of at most `max` Unicode code points. */
export const atMost = (max: number) =>
  z
    .string()
    .refine((text) => !isLonger(text, max), `must have ${max} characters at most`)
    .meta({ maxLength: max });

/** An RFC 3339 time in an answer. */
export const shownTime = z.string().meta({ format: 'date-time' });

/** An absolute http or https URL, or empty text. One without a host is refused, although `URL` finds one in its path. */
export const webAddress = z
  .string()
  .refine((text) => text === '' || (/^https?:\/\/[^\s/\\]\S*$/i.test(text) && parsedUrl(text)), {
    error: 'must be an http or https URL',
  });

/** An id in a path. A malformed one becomes 0, which nothing has, so that it is as absent as any unknown id. */
export const pathId = z
  .string()
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
  .meta({ type: 'integer' });

/** The bound of integers in queries: more than there is of anything, and exact when multiplied by a page's length. */
const MANY = 10 ** 12;

/** A query's integer. Absent ones, and those outside 64 bits, become 0; others are capped at `MANY`. */
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

/** A query's text; undefined if it is absent or empty. */
export const queryText = orNothing(z.string()).meta({ type: 'string' });

/** Repairs a time in a query: the `+` of its offset arrives as a blank if the client did not escape it. */
export const withOffset = (text: string) => text.replace(/ (?=\d\d:\d\d$)/, '+');

/** A query's time; undefined if it is absent or empty. */
export const queryTime = queryText
  .transform((text) => text && withOffset(text))
  .pipe(time.optional())
  .transform((text) => (text === undefined ? undefined : new Date(text)))
  .meta({ type: 'string', format: 'date-time' });

/** The words for true in a query or a form. */
export const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on']);

/** A query's boolean: undefined if it is absent, false unless it is a word for true. */
export const queryBoolean = z
  .string()
  .optional()
  .transform((text) => (text === undefined ? undefined : TRUE_WORDS.has(text)))
  .meta({ type: 'boolean' });

/** The body of an error; `url` is left out where Forgejo and Gitea leave it out. */
export const problem = z
  .object({ message: z.string(), url: z.string().optional(), errors: z.array(z.string()).optional() })
  .meta({ id: 'Problem' });

/** The rule that refused, what it compared, and the address that explains the decision to administrators. */
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

/** The body of 413: a request larger than allowed, or one beyond the quota of the account it names. */
export const tooLarge = z
  .object({
    message: z.string(),
    url: z.string().optional(),
    user_id: z.int().optional(),
    username: z.string().optional(),
    reason: quotaReason.optional(),
  })
  .meta({ id: 'TooLarge' });

/** The body of 500 on search routes. */
export const searchFailure = z.object({ ok: z.boolean(), error: z.string() });

/** No body at all. */
export const nothing = z.undefined().meta({ id: 'Nothing' });

/** Parses a value with `schema`. Throws `ZodError`, whose message for a missing value is the API's `Required`. */
export const checked = <T>(schema: z.ZodType<T>, value: unknown): T =>
  schema.parse(value, {
    error: ({ code, input }) =>
      code === 'invalid_type' && (input ?? null) === null ? 'Required' : undefined,
  });
