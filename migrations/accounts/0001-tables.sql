-- Every account as it was at every position: valid from one event until another, 9223372036854775807 while it lasts.
create table accounts (
  id int8 not null,
  kind text not null check (kind in ('user', 'organization')),
  name text,
  lower_name text,
  email text,
  lower_email text,
  full_name text,
  login_name text,
  source_id int8 not null,
  visibility text not null,
  restricted boolean not null,
  is_admin boolean not null,
  language text not null,
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
create index accounts_by_email on accounts (lower_email) where valid_until = 9223372036854775807;

create table access_tokens (
  id int8 primary key,
  account_id int8 not null,
  name text not null,
  scopes text[] not null,
  last_eight text not null,
  created_at timestamptz not null
);
create index access_tokens_by_account on access_tokens (account_id, id);
