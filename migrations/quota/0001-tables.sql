-- Everything a quota answer is made of, as it was at every position: a row is valid from one event until another,
-- 9223372036854775807 while it lasts. The live answer and the answer as of a moment are the same query.
create table quota_rules (
  id int8 not null,
  name text collate "C" not null,
  "limit" int8 not null,
  subjects text[] not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (id, valid_until)
);
create index quota_rules_by_name on quota_rules (name, valid_until);

create table quota_groups (
  id int8 not null,
  name text collate "C" not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (id, valid_until)
);
create index quota_groups_by_name on quota_groups (name, valid_until);

create table quota_group_rules (
  group_id int8 not null,
  rule_id int8 not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (group_id, rule_id, valid_until)
);

create table quota_members (
  group_id int8 not null,
  account_id int8 not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (group_id, account_id, valid_until)
);
create index quota_members_by_account on quota_members (account_id, valid_until);

create table quota_defaults (
  name text not null,
  groups text[] not null,
  total int8 not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (name, valid_until)
);

create table quota_usage (
  account_id int8 not null,
  subject text not null,
  bytes int8 not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (account_id, subject, valid_until)
);

-- What is reserved and not settled yet: it counts as used for whoever wants more.
create table quota_reservations (
  account_id int8 not null,
  reservation_id uuid not null,
  object_id text not null,
  subject text not null,
  bytes int8 not null,
  expires_at timestamptz not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (account_id, reservation_id, valid_until)
);
create index quota_reservations_by_account on quota_reservations (account_id, valid_until);
create index quota_reservations_by_end on quota_reservations (expires_at) where valid_until = 9223372036854775807;
