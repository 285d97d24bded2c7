import { z } from 'zod';
import { isQuotaSubject } from '../../domain/quota/subjects.js';
import { PageQuery } from '../paging.js';
import { int64, optional, requiredText } from '../schema.js';

/** A list of texts; null, which Go clients send for an empty one, is an empty one. */
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

const RuleInGroup = z.object({
  name: optional(z.string()),
  limit: optional(int64),
  subjects: optional(z.array(z.string())),
});

export const CreateQuotaGroupBody = z
  .object({ name: requiredText, rules: optional(z.array(RuleInGroup)) })
  .meta({ id: 'CreateQuotaGroupOptions' });

export const SetUserQuotaGroupsBody = z
  .object({
    groups: z.array(z.string(), {
      error: ({ input }) => (input == null ? 'Required' : 'must be a list of names'),
    }),
  })
  .meta({ id: 'SetUserQuotaGroupsOptions' });

export const QuotaGroupParams = z.object({ quotagroup: z.string() });
export const QuotaRuleParams = z.object({ quotarule: z.string() });
export const QuotaGroupUserParams = z.object({ quotagroup: z.string(), username: z.string() });
export const QuotaGroupRuleParams = z.object({ quotagroup: z.string(), quotarule: z.string() });

/** A moment in the log: a position, or an RFC 3339 time. */
const MomentText = z
  .string()
  .refine(
    (text) => /^\d{1,18}$/.test(text) || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be a position in the log or an RFC 3339 time',
  );

export const AsOfQuery = z.object({ as_of: optional(MomentText) });

export const CheckQuery = AsOfQuery.extend({
  subject: z.string({ error: 'Required' }).refine(isQuotaSubject, 'is not a quota subject'),
});

export const UsedQuery = AsOfQuery.extend(PageQuery.shape);

/** RFC 3339 in a query. */
export const queryTime = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time' })
  .transform((text) => new Date(text));

export const HistoryQuery = AsOfQuery.extend({
  ...PageQuery.shape,
  user: optional(z.string()),
  group: optional(z.string()),
  rule: optional(z.string()),
  since: optional(queryTime),
  until: optional(queryTime),
});

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

/** What every history tells of a change. */
export const Change = z.object({
  position: z.int(),
  event_id: z.string(),
  type: z.string(),
  at: z.string(),
  actor: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
  request_id: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});

export const QuotaChange = Change.extend({
  user: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
  groups: z.array(z.string()),
  rules: z.array(z.string()),
}).meta({ id: 'QuotaChange' });
