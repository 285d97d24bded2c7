import { z } from 'zod';
import { PageQuery } from '../answers/paging.js';
import { Change } from '../quota/insights-schema.js';
import { PageAsOfQuery } from '../quota/schema.js';
import {
  atMost,
  int64,
  optional,
  queryBoolean,
  queryInteger,
  queryText,
  queryTime,
  requiredText,
  shownTime,
  time,
  webAddress,
} from '../schema.js';

/** A visibility; empty text stands for the server's default. */
export const visibility = z
  .enum(['public', 'limited', 'private', ''], 'must be public, limited or private')
  .transform((value) => value || undefined);

/** The only source of accounts is the server itself. */
const noOtherSource = z.int().refine((id) => id === 0, 'no such authentication source');

/** CreateUserOption. The domain checks names, addresses and passwords. */
export const CreateUserBody = z
  .object({
    username: requiredText,
    email: requiredText,
    password: requiredText,
    full_name: optional(atMost(100)),
    source_id: optional(noOtherSource),
    login_name: optional(atMost(255)),
    must_change_password: optional(z.boolean()),
    restricted: optional(z.boolean()),
    send_notify: optional(z.boolean()),
    visibility: optional(visibility),
    created_at: optional(time),
  })
  .meta({ id: 'CreateUserOption' });

/** EditUserOption. Fields that are absent or null are not changed, nor is the password by an empty one. */
export const EditUserBody = z
  .object({
    source_id: optional(noOtherSource),
    login_name: optional(atMost(255)),
    email: optional(z.string()),
    full_name: optional(atMost(100)),
    password: optional(z.string()),
    must_change_password: optional(z.boolean()),
    prohibit_login: optional(z.boolean()),
    active: optional(z.boolean()),
    restricted: optional(z.boolean()),
    admin: optional(z.boolean()),
    website: optional(atMost(255).pipe(webAddress)),
    location: optional(atMost(50)),
    pronouns: optional(atMost(50)),
    description: optional(atMost(255)),
    allow_git_hook: optional(z.boolean()),
    allow_import_local: optional(z.boolean()),
    allow_create_organization: optional(z.boolean()),
    max_repo_creation: optional(int64),
    visibility: optional(visibility),
    hide_email: optional(z.boolean()),
  })
  .refine((body) => (body.source_id === undefined) === (body.login_name === undefined), {
    path: ['login_name'],
    error: 'goes together with source_id',
  })
  .meta({ id: 'EditUserOption' });

export const AdminUsersQuery = PageQuery.extend({
  source_id: queryInteger,
  login_name: queryText,
});

export const RenameUserBody = z.object({ new_username: requiredText }).meta({ id: 'RenameUserOption' });

export const AccountHistoryQuery = PageAsOfQuery.extend({
  subject: queryText,
  actor: queryText,
  since: queryTime,
  until: queryTime,
});

export const SearchUsersQuery = PageQuery.extend({ q: optional(z.string()), uid: queryInteger });

/** UserSettingsOptions: the fields that users change on their own account. */
export const EditSettingsBody = z
  .object({
    full_name: optional(atMost(100)),
    website: optional(atMost(255).pipe(webAddress)),
    description: optional(atMost(255)),
    location: optional(atMost(50)),
    pronouns: optional(atMost(50)),
    language: optional(atMost(35)),
    theme: optional(atMost(64)),
    diff_view_style: optional(atMost(64)),
    enable_repo_unit_hints: optional(z.boolean()),
    hide_email: optional(z.boolean()),
    hide_activity: optional(z.boolean()),
  })
  .meta({ id: 'UserSettingsOptions' });

/** `purge` also deletes what would be left without an owner. */
export const DeleteUserQuery = z.object({ purge: queryBoolean, erase: queryBoolean });

/**
 * The token to make. Forgejo can limit one to some `repositories`. Here none may be named: left out of account, the
 * token would reach more than its owner believes.
 */
export const CreateAccessTokenBody = z
  .object({
    name: requiredText.pipe(atMost(255)),
    scopes: optional(z.array(z.string())),
    repositories: optional(
      z
        .array(z.unknown())
        .max(0, 'tokens cannot be limited to repositories; limit what they may do by scopes'),
    ),
  })
  .meta({ id: 'CreateAccessTokenOption' });

export const User = z
  .object({
    id: z.int(),
    login: z.string(),
    username: z.string(),
    login_name: z.string(),
    source_id: z.int(),
    full_name: z.string(),
    email: z.string(),
    avatar_url: z.string(),
    html_url: z.string(),
    language: z.string(),
    is_admin: z.boolean(),
    last_login: shownTime,
    created: shownTime,
    restricted: z.boolean(),
    active: z.boolean(),
    prohibit_login: z.boolean(),
    location: z.string(),
    pronouns: z.string(),
    website: z.string(),
    description: z.string(),
    visibility: z.string(),
    followers_count: z.int(),
    following_count: z.int(),
    starred_repos_count: z.int(),
  })
  .meta({ id: 'User' });

export const FoundUsers = z.object({ ok: z.boolean(), data: z.array(User) });

const emails = z.array(z.string()).max(50, 'at most 50');

export const CreateEmailBody = z
  .object({ emails: emails.min(1, 'Required') })
  .meta({ id: 'CreateEmailOption' });
export const DeleteEmailBody = z.object({ emails: optional(emails) }).meta({ id: 'DeleteEmailOption' });

export const Email = z
  .object({
    email: z.string(),
    verified: z.boolean(),
    primary: z.boolean(),
    user_id: z.int(),
    username: z.string(),
  })
  .meta({ id: 'Email' });

export const UserSettings = z
  .object({
    full_name: z.string(),
    website: z.string(),
    description: z.string(),
    location: z.string(),
    pronouns: z.string(),
    language: z.string(),
    theme: z.string(),
    diff_view_style: z.string(),
    enable_repo_unit_hints: z.boolean(),
    hide_email: z.boolean(),
    hide_activity: z.boolean(),
  })
  .meta({ id: 'UserSettings' });

export const AccessToken = z
  .object({
    id: z.int(),
    name: z.string(),
    sha1: z.string(),
    token_last_eight: z.string(),
    scopes: z.array(z.string()),
    created_at: shownTime,
  })
  .meta({ id: 'AccessToken' });

export const AccountChange = Change.extend({
  subjects: z.array(z.object({ id: z.int(), name: z.string().nullable() })),
}).meta({ id: 'AccountChange' });
