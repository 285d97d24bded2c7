import { z } from 'zod';
import { isBranchFilter } from '../../domain/hooks/branch-filter.js';
import { isHookEventWord } from '../../domain/hooks/hook-events.js';
import { hookTypes } from '../../domain/hooks/hook-messages.js';
import { parsedUrl } from '../../values/parsed-url.js';
import { atMost, optional, shownTime, webAddress } from '../schema.js';

/** The maximum length of a list of events, enough to name every event in every way. */
const MAX_EVENTS = 100;
/** The characters allowed in a header's value. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** A boolean in exactly these letter cases, written out because patterns in the API document have no flags; or nothing. */
const BOOLEAN = /^(|1|[tT]|true|TRUE|True|0|[fF]|false|FALSE|False)$/;

const type = z.enum(hookTypes, { error: `must be one of ${hookTypes.join(', ')}` });

const target = webAddress
  .pipe(atMost(2048))
  .refine((text) => text !== '', 'Required')
  .refine((text) => !hasCredentials(text), {
    error: 'must hold no user name or password: give authorization_header',
  });

function hasCredentials(text: string): boolean {
  const { username = '', password = '' } = parsedUrl(text) ?? {};
  return username !== '' || password !== '';
}

const contentType = z.enum(['json', 'form'], { error: 'must be json or form' });
const secret = atMost(255);

/** Unknown fields, such as a chat's channel, are accepted but not stored; all must be text. */
const config = z
  .object({
    secret: optional(secret),
    is_system_webhook: optional(z.string().regex(BOOLEAN, 'must be true or false')),
  })
  .catchall(optional(z.string()));

const events = z
  .array(z.string().refine(isHookEventWord, { error: 'no such event' }))
  .max(MAX_EVENTS, `must have ${MAX_EVENTS} entries at most`);

const rest = {
  events: optional(events),
  branch_filter: optional(atMost(255).refine(isBranchFilter, { error: 'must be a glob' })),
  authorization_header: optional(atMost(4096).regex(HEADER_VALUE, 'must be a value of a header')),
  active: optional(z.boolean()),
};

export const CreateHookBody = z
  .object({
    type,
    config: config.extend({ url: target, content_type: contentType }),
    ...rest,
  })
  .meta({ id: 'CreateHookOption' });

export const EditHookBody = z
  .object({
    config: optional(
      config
        .extend({ url: optional(target), content_type: optional(contentType) })
        .meta({ id: 'EditHookOptionConfig' }),
    ),
    ...rest,
  })
  .meta({ id: 'EditHookOption' });

/** A Hook, without its secret. */
export const Hook = z
  .object({
    id: z.int(),
    type: z.string(),
    url: z.string(),
    content_type: z.string(),
    config: z.record(z.string(), z.string()),
    events: z.array(z.string()),
    branch_filter: z.string(),
    authorization_header: z.string(),
    active: z.boolean(),
    metadata: z.null(),
    created_at: shownTime,
    updated_at: shownTime,
  })
  .meta({ id: 'Hook' });
