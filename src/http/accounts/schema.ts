import { z } from 'zod';
import { atMost, optional, requiredText, time } from '../schema.js';

/** Empty text stands for the server's default. */
const visibility = z
  .enum(['public', 'limited', 'private', ''], 'must be public, limited or private')
  .transform((value) => value || undefined);

/** CreateUserOption (users.md §2). What names, addresses and passwords must be is the domain's to say. */
export const CreateUserBody = z.object({
  username: requiredText,
  email: requiredText,
  password: requiredText,
  full_name: optional(atMost(100)),
  // There is no source of accounts besides the server itself.
  source_id: optional(z.literal(0, 'no such authentication source')),
  login_name: optional(atMost(255)),
  must_change_password: optional(z.boolean()),
  restricted: optional(z.boolean()),
  send_notify: optional(z.boolean()),
  visibility: optional(visibility),
  created_at: optional(time),
});

export const CreateAccessTokenBody = z.object({
  name: requiredText.pipe(atMost(255)),
  scopes: optional(z.array(z.string())),
});

export const TokenParams = z.object({ username: z.string(), token: z.string() });

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
    last_login: z.string(),
    created: z.string(),
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

export const AccessToken = z
  .object({
    id: z.int(),
    name: z.string(),
    sha1: z.string(),
    token_last_eight: z.string(),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'AccessToken' });
