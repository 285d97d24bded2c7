-- Every account as it was at every position: valid from one event until another, 9223372036854775807 while it lasts.
create table accounts (
  id int8 not null,
  kind text not null check (kind in ('user', 'organization')),
  name text,
  lower_name text collate "C",
  email text,
  emails text[] not null,
  lower_emails text[] not null,
  full_name text,
  lower_full_name text,
  login_name text,
  source_id int8 not null,
  visibility text not null,
  restricted boolean not null,
  is_admin boolean not null,
  language text not null,
  theme text not null,
  diff_view_style text not null,
  enable_repo_unit_hints boolean not null,
  hide_email boolean not null,
  hide_activity boolean not null,
  repo_admin_change_team_access boolean not null,
  location text not null,
  pronouns text not null,
  website text not null,
  description text not null,
  created_at timestamptz not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (id, valid_until)
);
create index accounts_by_name on accounts (lower_name, valid_until);
create index organizations_by_name on accounts (lower_name)
  where kind = 'organization' and valid_until = 9223372036854775807;
create index accounts_not_public on accounts (visibility, id)
  where valid_until = 9223372036854775807 and visibility <> 'public';
create index accounts_by_email on accounts using gin (lower_emails) where valid_until = 9223372036854775807;

-- For searches by any part of a name or an address.
create extension if not exists pg_trgm with schema public;
create index accounts_by_fragment on accounts using gin (
  lower_name public.gin_trgm_ops,
  lower_full_name public.gin_trgm_ops,
  lower(email) public.gin_trgm_ops
) where valid_until = 9223372036854775807;

create table access_tokens (
  id int8 not null,
  account_id int8 not null,
  name text not null,
  scopes text[] not null,
  last_eight text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);

create table public_keys (
  id int8 not null,
  account_id int8 not null,
  title text,
  key text,
  fingerprint text not null,
  algorithm text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index public_keys_by_id on public_keys (id);
create index public_keys_by_fingerprint on public_keys (fingerprint);

-- Names that accounts had before, and nobody has taken since.
create table account_redirects (
  lower_name text not null,
  account_id int8 not null,
  primary key (lower_name, account_id)
);
create index account_redirects_by_account on account_redirects (account_id);
