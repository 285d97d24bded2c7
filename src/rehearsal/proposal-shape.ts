import { z } from 'zod';

const limit = z
  .custom<number | bigint>(
    (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
    'must be an integer',
  )
  .transform(BigInt)
  .refine((bytes) => bytes >= -(2n ** 63n) && bytes < 2n ** 63n, 'must fit in 64 bits')
  .meta({ type: 'integer', format: 'int64' });

/** Makes a field optional; null counts as absent. */
const optional = <T extends z.ZodType>(shape: T) =>
  shape.nullish().transform((value: z.output<T> | null | undefined) => value ?? undefined);

/** How far back operations can be replayed, in days. */
export const MAX_DAYS = 90;
export const DEFAULT_DAYS = 7;

const shapeOf = (object: typeof z.strictObject) =>
  object({
    rules: optional(z.array(object({ name: z.string().min(1), limit, subjects: z.array(z.string()) }))),
    groups: optional(
      z.array(
        object({
          name: z.string().min(1),
          rules: z.array(z.string()),
          members: optional(z.array(z.string())),
        }),
      ),
    ),
    default_groups: optional(z.array(z.string())),
    days: optional(z.int().min(1).max(MAX_DAYS)),
  });

/** Proposed rules, groups and memberships as JSON: the body of a request. */
export const ProposalShape = shapeOf(z.object);

/** The same in a file, where fields that are not known are refused: nothing else would tell that one is misspelt. */
export const ProposalFile = shapeOf(z.strictObject);
