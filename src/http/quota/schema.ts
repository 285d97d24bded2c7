import { z } from 'zod';
import { isQuotaSubject } from '../../domain/quota/subjects.js';
import { isMoment } from '../../event-log/moment.js';
import { PageQuery } from '../answers/paging.js';
import { int64, optional, requiredText, withOffset } from '../schema.js';

/** A list of texts. Null counts as an empty list, because Go clients send it for one. */
const subjects = z
  .array(z.string(), { error: ({ input }) => (input === undefined ? 'Required' : 'must be a list') })
  .nullable()
  .transform((list) => list ?? []);

export const CreateQuotaRuleBody = z
  .object({ name: requiredText, limit: int64, subjects })
  .meta({ id: 'CreateQuotaRuleOptions' });

export const EditQuotaRuleBody = z
  .object({
    limit: optional(int64),
    subjects: optional(z.array(z.string())),
  })
  .meta({ id: 'EditQuotaRuleOptions' });

/** Required, but only the domain says so, after it found the group's name to be free. */
const ruleName = z.preprocess((name) => name ?? '', z.string()).meta({ type: 'string', minLength: 1 });

const RuleInGroup = z.object({
  name: ruleName,
  limit: optional(int64),
  subjects: optional(z.array(z.string())),
});

/** How many rules a group may be created with, because each takes an id; more than anybody writes. */
const MOST_RULES = 1_000;

export const CreateQuotaGroupBody = z
  .object({
    name: requiredText,
    rules: optional(z.array(RuleInGroup).max(MOST_RULES, `at most ${MOST_RULES} at a time`)),
  })
  .meta({ id: 'CreateQuotaGroupOptions' });

export const SetUserQuotaGroupsBody = z
  .object({
    groups: z.array(z.string(), {
      error: ({ input }) => (input == null ? 'Required' : 'must be a list of names'),
    }),
  })
  .meta({ id: 'SetUserQuotaGroupsOptions' });

/** A moment of the log: a position, or an RFC 3339 time. */
const MomentText = z
  .string()
  .transform(withOffset)
  .refine(isMoment, 'must be a position in the log or an RFC 3339 time');

export const AsOfQuery = z.object({ as_of: optional(MomentText) });

export const QuotaSubjectText = z
  .string({ error: 'Required' })
  .refine(isQuotaSubject, 'is not a quota subject');

export const CheckQuery = AsOfQuery.extend({ subject: QuotaSubjectText });

/** A page of a list as of a moment. */
export const PageAsOfQuery = AsOfQuery.extend(PageQuery.shape);

export const QuotaRuleInfo = z
  .object({ name: z.string().optional(), limit: z.int(), subjects: z.array(z.string()) })
  .meta({ id: 'QuotaRuleInfo' });

export const QuotaGroup = z
  .object({ name: z.string().optional(), rules: z.array(QuotaRuleInfo) })
  .meta({ id: 'QuotaGroup' });

export const QuotaInfo = z
  .object({
    used: z.object({
      size: z.object({
        repos: z.object({ public: z.int(), private: z.int() }),
        git: z.object({ LFS: z.int() }),
        assets: z.object({
          attachments: z.object({ issues: z.int(), releases: z.int() }),
          artifacts: z.int(),
          packages: z.object({ all: z.int() }),
        }),
      }),
    }),
    groups: z.array(QuotaGroup),
  })
  .meta({ id: 'QuotaInfo' });

export const QuotaUsedAttachment = z
  .object({
    name: z.string(),
    size: z.int(),
    api_url: z.string(),
    contained_in: z.object({ api_url: z.string(), html_url: z.string() }),
  })
  .meta({ id: 'QuotaUsedAttachment' });

export const QuotaUsedPackage = z
  .object({
    name: z.string(),
    type: z.string(),
    version: z.string(),
    size: z.int(),
    html_url: z.string(),
  })
  .meta({ id: 'QuotaUsedPackage' });

export const QuotaUsedArtifact = z
  .object({ name: z.string(), size: z.int(), html_url: z.string() })
  .meta({ id: 'QuotaUsedArtifact' });
