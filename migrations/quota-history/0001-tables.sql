-- One row for each change to a quota: what it was, what it became, who did it and when.
create table quota_changes (
  position int8 primary key,
  event_id uuid not null,
  type text not null,
  recorded_at timestamptz not null,
  actor_id int8,
  actor_name text,
  request_id text,
  account_id int8,
  "groups" text[] not null,
  "rules" text[] not null,
  before text,
  after text
);
create index quota_changes_by_account on quota_changes (account_id, position);
create index quota_changes_by_time on quota_changes (recorded_at);
create index quota_changes_by_group on quota_changes using gin ("groups");
create index quota_changes_by_rule on quota_changes using gin ("rules");
