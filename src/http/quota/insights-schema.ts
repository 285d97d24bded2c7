import { z } from 'zod';
import { ProposalShape } from '../../rehearsal/proposal-shape.js';
import { isNatural } from '../../values/formats.js';
import { queryText, queryTime, quotaReason } from '../schema.js';
import { AsOfQuery, CheckQuery, PageAsOfQuery, QuotaSubjectText } from './schema.js';

/** A number of bytes in a query; 0 if it is absent. */
const queryBytes = queryText
  .pipe(z.string().refine(isNatural, 'must be a number of bytes').optional())
  .transform((digits) => BigInt(digits ?? 0))
  .meta({ type: 'integer', format: 'int64' });

export const ExplainQuery = CheckQuery.extend({ size: queryBytes });

/** A filter by account and time; all accounts if `user` is absent. */
export const AccountTimeQuery = PageAsOfQuery.extend({
  user: queryText,
  since: queryTime,
  until: queryTime,
});

export const HistoryQuery = AccountTimeQuery.extend({ group: queryText, rule: queryText });

/** An account or actor, with its name at that time; null if nobody has it any more. */
const Person = z.object({ id: z.int(), name: z.string().nullable() }).meta({ id: 'Person' });

/** Text in a query; `otherwise` if it is absent or empty. */
const queryTextOr = (otherwise: string) =>
  z
    .string()
    .default(otherwise)
    .transform((text) => text || otherwise);

const STEP = /^[1-9]\d{0,4}[hd]$/;

/** A number of hours or days: `6h`, `1d`. */
const queryStep = queryTextOr('1d')
  .pipe(z.string().regex(STEP, 'must be hours or days, as 6h or 1d'))
  .transform((text) => ({ text, hours: Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1) }))
  .meta({ type: 'string', pattern: STEP.source });

export const UsageQuery = AsOfQuery.extend({
  since: queryTime,
  until: queryTime,
  step: queryStep,
});

export const ConsumersQuery = PageAsOfQuery.extend({
  subject: queryTextOr('size:all').pipe(QuotaSubjectText),
  since: queryTime,
});

export const RehearsalBody = ProposalShape.meta({ id: 'RehearseQuotasOptions' });

/** The fields that every history has for a change. */
export const Change = z.object({
  position: z.int(),
  event_id: z.string(),
  type: z.string(),
  at: z.string(),
  actor: Person.nullable(),
  request_id: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});

export const QuotaChange = Change.extend({
  user: Person.nullable(),
  groups: z.array(z.string()),
  rules: z.array(z.string()),
}).meta({ id: 'QuotaChange' });

const QuotaEvent = z
  .object({ at: z.string(), actor: Person.nullable(), position: z.int(), event_id: z.string() })
  .meta({ id: 'QuotaEvent' })
  .nullable();

export const QuotaExplanation = z
  .object({
    user: Person,
    subject: z.string(),
    size: z.int(),
    as_of: z.string().nullable(),
    position: z.int(),
    allowed: z.boolean(),
    decided_by: z
      .object({ group: z.string(), rule: z.string().nullable() })
      .meta({ id: 'QuotaDecision' })
      .nullable(),
    groups: z.array(
      z.object({
        name: z.string(),
        via: z.enum(['member', 'default', 'built-in']),
        passes: z.boolean().nullable(),
        created: QuotaEvent,
        joined: QuotaEvent,
        rules: z.array(
          z.object({
            name: z.string(),
            limit: z.int(),
            subjects: z.array(z.string()),
            covers: z.boolean(),
            used: z.int(),
            passes: z.boolean().nullable(),
            set: QuotaEvent,
            added: QuotaEvent,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'QuotaExplanation' });

export const QuotaRefusalCount = z
  .object({
    user: Person,
    subject: z.string(),
    minute: z.string(),
    count: z.int(),
    actor: Person.nullable(),
    /** Has no `explain` if the account was erased. */
    last: quotaReason.extend({ explain: z.string().nullable() }).meta({ id: 'QuotaRefusalReason' }),
  })
  .meta({ id: 'QuotaRefusalCount' });

/** How much of a rule's limit an account had used, in bytes. */
const RuleUsed = z.object({
  user: Person,
  group: z.string(),
  rule: z.string(),
  subjects: z.array(z.string()),
  limit: z.int(),
  used: z.int(),
});

export const QuotaThreshold = RuleUsed.extend({
  percent: z.int(),
  at: z.string(),
  position: z.int(),
  event_id: z.string(),
}).meta({ id: 'QuotaThreshold' });

const LimitReached = z
  .object({ group: z.string(), rule: z.string(), limit: z.int(), at: z.string().nullable() })
  .meta({ id: 'QuotaLimitReached' });

export const QuotaUsage = z
  .object({
    user: Person,
    since: z.string(),
    until: z.string(),
    step: z.string(),
    series: z.array(
      z.object({
        subjects: z.array(z.string()),
        points: z.array(z.object({ at: z.string(), used: z.int() })),
        growth_per_day: z.int(),
        limits: z.array(
          z.object({
            group: z.string(),
            rule: z.string(),
            limit: z.int(),
            from: z.string(),
            until: z.string().nullable(),
          }),
        ),
        reached: z.array(LimitReached),
      }),
    ),
  })
  .meta({ id: 'QuotaUsage' });

export const QuotaConsumer = z
  .object({
    user: Person,
    subject: z.string(),
    used: z.int(),
    growth_per_day: z.int(),
    reached: z.array(LimitReached),
  })
  .meta({ id: 'QuotaConsumer' });

export const QuotaRehearsal = z
  .object({
    days: z.int(),
    position: z.int(),
    since: z.string(),
    operations: z.int(),
    over_total: z.int(),
    over: z.array(RuleUsed.extend({ over_by: z.int() })),
    refused_total: z.int(),
    refused: z.array(
      z.object({
        at: z.string(),
        position: z.int(),
        user: Person,
        subject: z.string(),
        size: z.int(),
        used: z.int(),
        group: z.string(),
        rule: z.string(),
        limit: z.int(),
      }),
    ),
  })
  .meta({ id: 'QuotaRehearsal' });
